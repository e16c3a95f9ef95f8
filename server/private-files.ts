/** Keeps the data readable by the service's own user only, whatever the mode of the data folder. */
import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;

/** Makes everything that this process and its children create accessible to its own user only. */
export const createPrivateFiles = (): void => void process.umask(OTHERS);

const statsOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });

export interface RestrictedFiles {
  /** Files and folders that other users can no longer access. */
  restrictedCount: number;
  /** Those whose mode cannot be changed, because they belong to another user or their file system has no modes. */
  openCount: number;
}

/**
 * Removes other users' access to the database, the master key and the stored files. The data folder itself belongs to the operator and stays as it is.
 * Files below `files` are looked at only while that folder is open to others, since there may be many. `chmod` is for tests.
 */
export function restrictDataFiles(dataDir: string, chmod: typeof chmodSync = chmodSync): RestrictedFiles {
  const result: RestrictedFiles = { restrictedCount: 0, openCount: 0 };
  const isOpen = (path: string): boolean => {
    const stats = statsOf(path);
    return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0;
  };

  function removeAccessOfOthers(path: string): void {
    if (!isOpen(path)) return;
    try {
      chmod(path, lstatSync(path).mode & ~OTHERS & 0o777);
    } catch {
      // Counted below: a start must not fail because of a mode.
    }
    // Some network file systems accept the change and ignore it.
    result[isOpen(path) ? "openCount" : "restrictedCount"] += 1;
  }

  function restrictTree(path: string): void {
    if (statsOf(path)?.isDirectory()) for (const name of readdirSync(path)) restrictTree(join(path, name));
    removeAccessOfOthers(path);
  }

  if (process.platform === "win32") return result;
  const names = (statsOf(dataDir)?.isDirectory() ? readdirSync(dataDir) : []).filter((name) => /^(talkback\.db.*|serving\.lock.*|master\.key.*)$/.test(name));
  for (const name of names) removeAccessOfOthers(join(dataDir, name));
  // The folder may be a link to another disk.
  const files = join(dataDir, "files");
  const filesFolder = existsSync(files) ? realpathSync(files) : files;
  if (isOpen(filesFolder)) restrictTree(filesFolder);
  return result;
}
