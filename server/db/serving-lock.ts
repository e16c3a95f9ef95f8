/** Ensures one serving process per SQLite folder. The operating system holds the lock, so a killed process leaves none behind. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./engine-errors.ts";

/** Prevents garbage collection, which would close the file and release the lock. */
const heldLocks = new Set<DatabaseSync>();

/** Returns a release function, or null if another process serves from this folder. */
export function acquireServingLock(folder: string): (() => void) | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(folder, "serving.lock"), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
}
