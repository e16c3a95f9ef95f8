/** What a browser loads before it shows anything: how much, and that nothing of the later views is in it. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import type { Sources } from "../layers/judge.ts";
import { CODE } from "../layers/judge.ts";
import { readModule } from "../layers/reading.ts";

/** kB are 1000 bytes, as browsers' tools count them. */
const LIMIT_BYTES = 150_000;

/** What only later views need. */
const LATER: readonly { name: string; packages?: RegExp; files?: RegExp }[] = [
  { name: "Base UI", packages: /^@base-ui\// },
  { name: "wavesurfer", packages: /^wavesurfer\.js/, files: /^src\/audio\// },
  { name: "emoji data", packages: /emoji/ },
  { name: "the command palette", files: /^src\/app\/palette\/Palette\.tsx$/ },
];

export interface ManifestChunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}
export type Manifest = Readonly<Record<string, ManifestChunk>>;

/** Scripts that the page names itself, by path below dist/. */
export function scriptsOf(html: string): string[] {
  const tags = html.match(/<(script|link)\b[^>]*>/g) ?? [];
  return tags.flatMap((tag) => {
    const isScript = tag.startsWith("<script") || /rel="modulepreload"/.test(tag);
    const address = /(?:src|href)="\/([^"]+\.js)"/.exec(tag)?.[1];
    return isScript && address ? [address] : [];
  });
}

/** Everything that loads with the page: what it names, the entries and all they import at once. */
export function eagerFiles(html: string, manifest: Manifest): string[] {
  const files = new Set(scriptsOf(html));
  const waiting = Object.keys(manifest).filter((key) => manifest[key]?.isEntry || files.has(manifest[key]?.file ?? ""));
  const seen = new Set<string>();
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) continue;
    seen.add(key);
    files.add(chunk.file);
    waiting.push(...(chunk.imports ?? []));
  }
  return [...files].filter((file) => file.endsWith(".js"));
}

/** Ways from the entry, over imports that are not lazy, to something that should come later. */
export function earlyComers(sources: Sources, entry = "src/main.tsx"): string[] {
  const found: string[] = [];
  const from = new Map<string, string | null>([[entry, null]]);
  for (const path of from.keys()) {
    const way = () => wayTo(path, from).join(" -> ");
    const file = LATER.find(({ files }) => files?.test(path));
    if (file) found.push(`${file.name}: ${way()}`);
    for (const { specifier, typeOnly, lazy } of readModule(path, sources.get(path) ?? "").imports) {
      if (typeOnly || lazy) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), specifier));
      const later = LATER.find(({ packages }) => packages?.test(specifier));
      if (later) found.push(`${later.name}: ${way()} -> ${specifier}`);
      else if (specifier.startsWith(".") && CODE.test(target) && !from.has(target)) from.set(target, path);
    }
  }
  return found;
}

function wayTo(path: string, from: ReadonlyMap<string, string | null>): string[] {
  const way = [path];
  for (let at = from.get(path); at; at = from.get(at)) way.unshift(at);
  return way;
}

export interface Budget {
  bytes: number;
  faults: string[];
}

/** Measures the build in `dist` (a folder's path) and the sources it came from. */
export function measure(dist: string, sources: Sources): Budget {
  const manifest = JSON.parse(readFileSync(posix.join(dist, ".vite/manifest.json"), "utf8")) as Manifest;
  const files = eagerFiles(readFileSync(posix.join(dist, "index.html"), "utf8"), manifest);
  const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(posix.join(dist, file)), { level: 9 }).length }));
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
  const faults = earlyComers(sources).map((way) => `The first load holds ${way}. Load it with import() where it is needed.`);
  if (!Object.values(manifest).some(({ isEntry }) => isEntry)) faults.push("The manifest names no entry: nothing was measured.");
  if (bytes > LIMIT_BYTES) {
    faults.push(
      `The first load is ${kilobytes(bytes)} of JavaScript (gzip); the limit is ${kilobytes(LIMIT_BYTES)}.`,
      ...sizes.map((one) => `  ${one.file}  ${kilobytes(one.bytes)}`),
    );
  }
  return { bytes, faults };
}

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
