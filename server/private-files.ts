/** Keeps the data readable by the service's own user only, whatever the mode of the data folder. */
import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";

const OTHERS = 0o077;

/** Makes everything that this process and its children create accessible to its own user only. */
export const createPrivateFiles = (): void => void process.umask(OTHERS);

const statsOf = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** Returns whether the mode had to be changed. Throws if the path belongs to another user. */
function removeAccessOfOthers(path: string): boolean {
  const stats = statsOf(path);
  if (!stats || stats.isSymbolicLink() || (stats.mode & OTHERS) === 0) return false;
  chmodSync(path, stats.mode & ~OTHERS & 0o777);
  return true;
}

function restrictTree(path: string): number {
  const stats = statsOf(path);
  const names = stats?.isDirectory() ? readdirSync(path) : [];
  return names.reduce((count, name) => count + restrictTree(join(path, name)), 0) + Number(removeAccessOfOthers(path));
}

/**
 * Removes other users' access to the database, the master key and the stored files, and returns how many modes it changed. The data folder itself
 * belongs to the operator and stays as it is. Files below `files` are looked at only while that folder is open to others, since there may be many.
 */
export function restrictDataFiles(dataDir: string): number {
  if (process.platform === "win32") return 0;
  const names = (statsOf(dataDir)?.isDirectory() ? readdirSync(dataDir) : []).filter((name) => /^(talkback\.db.*|serving\.lock.*|master\.key.*)$/.test(name));
  // The folder may be a link to another disk.
  const files = join(dataDir, "files");
  const filesFolder = existsSync(files) ? realpathSync(files) : files;
  const areFilesOpen = ((statsOf(filesFolder)?.mode ?? 0) & OTHERS) !== 0;
  return names.filter((name) => removeAccessOfOthers(join(dataDir, name))).length + (areFilesOpen ? restrictTree(filesFolder) : 0);
}
