/**
 * Chooses the folder for test data: in memory if there is enough space, because thousands of small databases would wait
 * for the disk. Memory preserves the data of a killed process just as a disk does.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessRunning } from "../lib/child.mjs";

const MEMORY_FOLDER = "/dev/shm";
const PREFIX = "talkback-tests-";
/** The tests need less than 1 GiB. */
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

/** Removes folders of killed runs, which would otherwise occupy memory permanently. */
function removeStaleFolders(): void {
  for (const name of readdirSync(MEMORY_FOLDER)) {
    const pid = Number(/^talkback-tests-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isProcessRunning(pid)) rmSync(join(MEMORY_FOLDER, name), { recursive: true, force: true });
  }
}

/** Creates a folder for `TMPDIR` that belongs to this process and is removed with it at the latest. */
export function createScratchFolder(inMemory = hasFreeSpace(MEMORY_FOLDER)): Scratch {
  if (inMemory) removeStaleFolders();
  const folder = mkdtempSync(join(inMemory ? MEMORY_FOLDER : tmpdir(), `${PREFIX}${process.pid}-`));
  // Root starts the database as another user, who needs to traverse this folder to reach its own.
  chmodSync(folder, 0o711);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    process.off("exit", remove);
  };
  process.on("exit", remove);
  return { folder, remove };
}
