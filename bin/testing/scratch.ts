/** Where tests keep their data: in memory where there is room, since thousands of small databases would wait for the disk. What a killed process leaves is the same there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY_FOLDER = "/dev/shm";
const PREFIX = "talkback-tests-";
/** The tests need less than one. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

export interface Scratch {
  folder: string;
  remove(): void;
}

function hasFreeSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_FREE_BYTES && freemem() >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What a run that was killed could not remove would take memory for ever. */
function removeStaleFolders(): void {
  for (const name of readdirSync(MEMORY_FOLDER)) {
    const pid = Number(/^talkback-tests-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid)) rmSync(join(MEMORY_FOLDER, name), { recursive: true, force: true });
  }
}

/** A new folder of this process, for `TMPDIR`. Goes with the process at the latest. */
export function createScratchFolder(inMemory = hasFreeSpace(MEMORY_FOLDER)): Scratch {
  if (inMemory) removeStaleFolders();
  const folder = mkdtempSync(join(inMemory ? MEMORY_FOLDER : tmpdir(), `${PREFIX}${process.pid}-`));
  // Root starts a database as somebody else, who has to get through to its own folder.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  return { folder, remove };
}
