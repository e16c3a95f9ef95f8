/** One serving process per SQLite folder. The lock is the operating system's, so a killed process leaves none behind. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./engine-errors.ts";

/** Kept from the garbage collector, which would close the file and so free the lock. */
const heldLocks = new Set<DatabaseSync>();

/** Returns the release, or null when another process serves from this folder. */
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
