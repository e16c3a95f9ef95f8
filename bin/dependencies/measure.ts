/** Measures direct dependencies: their size in node_modules, and what the built client contains of them. */
import { lstatSync, readdirSync, existsSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { build, minify, type Rolldown } from "vite";
import { type Lock, packageName } from "./dependencies.ts";

/** Returns the folders of a package and of everything that it brings. */
function closure(name: string, lock: Lock): Set<string> {
  const folders = new Set<string>();
  const pending = [`node_modules/${name}`];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (folders.has(folder)) continue;
    folders.add(folder);
    const { dependencies, optionalDependencies } = lock[folder] ?? {};
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const resolved = resolveFolder(folder, dependency, lock);
      if (resolved !== null) pending.push(resolved);
    }
  }
  return folders;
}

/** Looks in the node_modules of the package, then of the packages around it, as Node does. */
function resolveFolder(from: string, name: string, lock: Lock): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const candidate = posix.join(folder, "node_modules", name);
    if (lock[candidate]) return candidate;
    if (folder === "") return null;
  }
}

function folderBytes(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== "node_modules") bytes += folderBytes(join(path, entry.name));
    if (entry.isFile()) bytes += lstatSync(join(path, entry.name)).size;
  }
  return bytes;
}

/** Returns the bytes of a package with everything that it brings on this platform; null if it is not installed here. */
export function installedBytes(root: string, name: string, lock: Lock): number | null {
  if (!existsSync(join(root, "node_modules", name))) return null;
  const folders = [...closure(name, lock)].map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  return folders.reduce((sum, folder) => sum + folderBytes(folder), 0);
}

/**
 * Builds the client without writing it, and returns the bytes of each direct dependency's code in it, minified and compressed alone, with what it
 * brings unless that is a direct dependency too.
 */
export async function browserBytes(root: string, direct: readonly string[], lock: Lock): Promise<Map<string, number>> {
  const result = (await build({ root, logLevel: "error", build: { write: false } })) as Rolldown.RolldownOutput;
  const codeByFolder = new Map<string, string>();
  for (const chunk of result.output) {
    if (chunk.type !== "chunk") continue;
    for (const [id, { code }] of Object.entries(chunk.modules)) {
      const folder = /^.*?\/(?<folder>node_modules\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+|node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.groups?.["folder"];
      if (folder !== undefined && code) codeByFolder.set(folder, `${codeByFolder.get(folder) ?? ""}{${code}}\n`);
    }
  }
  const sizes = new Map<string, number>();
  for (const name of direct) {
    const folders = [...closure(name, lock)].filter((folder) => folder === `node_modules/${name}` || !direct.includes(packageName(folder)));
    const code = folders.map((folder) => codeByFolder.get(folder) ?? "").join("");
    if (code !== "") sizes.set(name, gzipSync((await minify(`${name}.js`, code)).code, { level: 9 }).length);
  }
  return sizes;
}
