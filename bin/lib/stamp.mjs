/** Stamp files, written last, that record the content from which a folder was built. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Returns a hash over names and contents, independent of order, times and the platform's path separator.
 * @param {string} root
 * @param {readonly string[]} parts files and folders below it, where a missing one contributes nothing
 * @param {(path: string) => boolean} [isIncluded] by path relative to the root, with slashes
 */
export function hashFiles(root, parts, isIncluded = () => true) {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (const path of listFiles(join(root, part))) {
      const name = relative(root, path).split(sep).join("/");
      if (!isIncluded(name)) continue;
      const content = readFileSync(path);
      hash.update(`${name}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * @param {string} path
 * @param {string} value
 */
export function hasStamp(path, value) {
  try {
    return readFileSync(path, "utf8") === value;
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @param {string} value
 */
export function writeStamp(path, value) {
  writeFileSync(path, value);
}
