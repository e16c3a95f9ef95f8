/** Divides the client's lazy modules into files: few and large ones for what opening a chat loads, so that their requests do not follow one another. */
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

const SOURCE = join(import.meta.dirname, "..", "..", "src");
/** Lazy modules, each of which loads together with what it imports. */
const LIVE = ["sync/live/apply-events.ts", "sync/live/event-handlers.ts", "sync/live/invalidate-topic.ts"];
const SIGN_IN = ["views/sign-in/SignInView.tsx", "views/sign-in/LinkViews.tsx", "views/sign-in/ConnectView.tsx"];
const CHAT = ["app/file-pane/ChatPage.tsx"];
const AUDIO = ["audio/browser-audio.ts", "queries/files/use-file.ts"];
const LATE = ["app/after-first-paint.tsx"];
/** A module goes into a file that views share if at least this many lazy modules load it. */
const MIN_LOADERS = 2;

/**
 * Returns the groups of lazy modules. Each holds all imports of its modules that no group before it holds, so that no files import each other in a circle.
 * Modules of no group are divided by the bundler.
 */
export function lazyGroups(): Rolldown.CodeSplittingGroup[] {
  return [
    { name: "live", roots: LIVE },
    { name: "basics", roots: SIGN_IN, minShareCount: MIN_LOADERS },
    { name: "views", roots: [...AUDIO, ...CHAT], minShareCount: MIN_LOADERS },
    { name: "ChatPage", roots: CHAT },
    { name: "after-first-paint", roots: LATE },
  ].map(({ name, roots, ...limits }, index, groups) => {
    const isNeeded = findImports(roots);
    return { name: (id, graph) => (isNeeded(id, graph) ? name : null), ...limits, priority: groups.length - index };
  });
}

type Graph = Rolldown.ChunkingContext;

/** Returns a function that tells whether a module is one of the `roots` or a static import of theirs, directly or not. */
function findImports(roots: readonly string[]): (id: string, graph: Graph) => boolean {
  let found: Set<string> | undefined;
  function find(graph: Graph): Set<string> {
    const ids = new Set(roots.map((root) => join(SOURCE, root)));
    // A set also visits what is added meanwhile.
    for (const id of ids) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) ids.add(imported);
    return ids;
  }
  return (id, graph) => (found ??= find(graph)).has(id);
}

/** Names in the page, for `public/preload.js`, the files of the chat that the page does not load anyway. */
export function chatCode(): Plugin {
  return {
    name: "chat-code",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const chat = chunks.find(({ moduleIds }) => moduleIds.includes(join(SOURCE, CHAT[0]!)));
        if (!chat || !entry) throw new Error(`No built file holds ${CHAT[0]}`);
        const loaded = findFiles(entry.fileName, chunks);
        const files = [...findFiles(chat.fileName, chunks)].filter((name) => !loaded.has(name));
        return [{ tag: "meta", attrs: { name: "chat-code", content: files.map((name) => `/${name}`).join(" ") }, injectTo: "head-prepend" }];
      },
    },
  };
}

/** Returns a built file and its static imports, direct or not. */
function findFiles(file: string, chunks: readonly Rolldown.OutputChunk[]): ReadonlySet<string> {
  const files = new Set([file]);
  for (const name of files) for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) files.add(imported);
  return files;
}
