/** Reads the project's sources from disk. */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { CODE, type Sources } from "./judge.ts";

const FOLDERS = ["contract", "src", "server", "bin", "e2e", "bench"];

/** Returns all files in the source folders, and the code files in the root. */
export function readTree(root: string): Sources {
  const sources = new Map<string, string>();
  const add = (path: string) => sources.set(relative(root, path).split(sep).join("/"), CODE.test(path) ? readFileSync(path, "utf8") : "");
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isFile() && (CODE.test(entry.name) || entry.name === "package.json")) add(path);
    if (!entry.isDirectory() || !FOLDERS.includes(entry.name)) continue;
    for (const file of readdirSync(path, { recursive: true, withFileTypes: true })) if (file.isFile()) add(join(file.parentPath, file.name));
  }
  return sources;
}
