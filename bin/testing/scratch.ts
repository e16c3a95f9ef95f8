/** Where tests keep their data: in memory where there is room, since thousands of small databases would wait for the disk. What a killed process leaves is the same there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "talkback-tests-";
/** The tests need less than one. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

export interface Scratch {
  folder: string;
  remove(): void;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES;
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
function removeLeftOvers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(/^talkback-tests-(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** A new folder of this process, for `TMPDIR`. Goes with the process at the latest. */
export function scratch(memory = hasRoom(MEMORY)): Scratch {
  if (memory) removeLeftOvers();
  const folder = mkdtempSync(join(memory ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`));
  // Root starts a database as somebody else, who has to get through to its own folder.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  return { folder, remove };
}
