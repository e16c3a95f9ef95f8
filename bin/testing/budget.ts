/** Checks what a browser loads before the first render: its size, and that it contains no lazily loaded modules. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { CODE, type Sources } from "../import-rules/check-imports.ts";
import { readModule } from "../import-rules/read-module.ts";

/** 1 kB is 1000 bytes, as in browser developer tools. */
const LIMIT_BYTES = 200_000;

/** Modules that only later views need. */
const LAZY_MODULES: readonly { name: string; packages?: RegExp; files?: RegExp }[] = [
  { name: "react-aria-components", packages: /^react-aria-components/ },
  { name: "wavesurfer", packages: /^wavesurfer\.js/, files: /^src\/audio\/waveform\// },
  { name: "player and recorder", files: /^src\/audio\/(player\/player|recorder\/recorder)\.ts$/ },
  { name: "emoji data", packages: /emoji/ },
  { name: "the command palette's results", files: /^src\/app\/palette\/(?!PaletteDialog\.tsx$)/ },
];

export interface ManifestChunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** Returns the scripts that the page references directly, by path relative to dist/. */
export function scriptPaths(html: string): string[] {
  const tags = html.match(/<(script|link)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const isScript = tag.startsWith("<script") || /rel="modulepreload"/.test(tag);
    const address = /(?:src|href)="\/([^"]+\.js)"/.exec(tag)?.[1];
    return isScript && address ? [address] : [];
  });
}

/** Returns all scripts loaded with the page: those it references, the entries and their static imports. */
export function eagerFiles(html: string, manifest: Manifest): string[] {
  const files = new Set(scriptPaths(html));
  const queue = Object.keys(manifest).filter((key) => manifest[key]?.isEntry || files.has(manifest[key]?.file ?? ""));
  const seen = new Set<string>();
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) continue;
    seen.add(key);
    files.add(chunk.file);
    queue.push(...(chunk.imports ?? []));
  }
  return [...files].filter((file) => file.endsWith(".js"));
}

/** Returns the files that import each other in a circle: one of them runs before the constants that it reads from the other exist. */
export function findCircularFiles(manifest: Manifest): string[] {
  const circles: string[] = [];
  const visited = new Set<string>();
  function visit(key: string, chain: readonly string[]): void {
    if (chain.includes(key)) circles.push([...chain.slice(chain.indexOf(key)), key].join(" -> "));
    if (visited.has(key)) return;
    visited.add(key);
    for (const imported of manifest[key]?.imports ?? []) visit(imported, [...chain, key]);
  }
  for (const key of Object.keys(manifest)) visit(key, []);
  return circles;
}

/** Returns import chains from the entry, without lazy imports, to modules that must be loaded lazily. */
export function findEarlyImports(sources: Sources, entry = "src/main.tsx"): string[] {
  const chains: string[] = [];
  const importers = new Map<string, string | null>([[entry, null]]);
  for (const path of importers.keys()) {
    const formatChain = () => importChain(path, importers).join(" -> ");
    const lazyFile = LAZY_MODULES.find(({ files }) => files?.test(path));
    if (lazyFile) chains.push(`${lazyFile.name}: ${formatChain()}`);
    for (const { specifier, typeOnly, lazy } of readModule(path, sources.get(path) ?? "").imports) {
      if (typeOnly || lazy) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), specifier));
      const lazyPackage = LAZY_MODULES.find(({ packages }) => packages?.test(specifier));
      if (lazyPackage) chains.push(`${lazyPackage.name}: ${formatChain()} -> ${specifier}`);
      else if (specifier.startsWith(".") && CODE.test(target) && !importers.has(target)) importers.set(target, path);
    }
  }
  return chains;
}

function importChain(path: string, importers: ReadonlyMap<string, string | null>): string[] {
  const chain = [path];
  for (let at = importers.get(path); at; at = importers.get(at)) chain.unshift(at);
  return chain;
}

export interface Budget {
  bytes: number;
  violations: string[];
}

/** Measures the build in the folder `dist` and checks the sources it came from. */
export function measureFirstLoad(dist: string, sources: Sources): Budget {
  const manifest = JSON.parse(readFileSync(posix.join(dist, ".vite/manifest.json"), "utf8")) as Manifest;
  const files = eagerFiles(readFileSync(posix.join(dist, "index.html"), "utf8"), manifest);
  const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(posix.join(dist, file)), { level: 9 }).length }));
  const bytes = sizes.reduce((sum, script) => sum + script.bytes, 0);
  const violations = findEarlyImports(sources).map((chain) => `The first load holds ${chain}. Load it with import() where it is needed.`);
  violations.push(...findCircularFiles(manifest).map((circle) => `Built files import each other in a circle: ${circle}. Leave their division to the bundler.`));
  if (!Object.values(manifest).some(({ isEntry }) => isEntry)) violations.push("The manifest names no entry: nothing was measured.");
  if (bytes > LIMIT_BYTES) {
    violations.push(
      `The first load is ${kilobytes(bytes)} of JavaScript (gzip); the limit is ${kilobytes(LIMIT_BYTES)}.`,
      ...sizes.map((script) => `  ${script.file}  ${kilobytes(script.bytes)}`),
    );
  }
  return { bytes, violations };
}

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
