/** Stamps: a small file, written last, that says from which content a folder was made. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * A hash over names and contents, independent of order, times and the platform's path separator.
 * @param {string} root
 * @param {readonly string[]} parts files and folders below it; a missing one counts as missing
 * @param {(path: string) => boolean} [counts] by path below the root, with slashes
 */
export function hashOf(root, parts, counts = () => true) {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (const path of filesIn(join(root, part))) {
      const name = relative(root, path).split(sep).join("/");
      if (!counts(name)) continue;
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
function filesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
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
