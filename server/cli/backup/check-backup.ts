/** Reads backups back, and removes old ones. */
import { CommandError } from "../command.ts";
import type { BackupStore } from "./backup-store.ts";
import { createCounter } from "./parallel.ts";
import type { FileRow, Snapshot } from "./snapshot.ts";
import { readStoredRows } from "./stored-rows.ts";

/** Yields the objects that a snapshot needs; chunks of rows have no recorded size. Throws if its list of files is damaged. */
async function* objectsOf(store: BackupStore, { tables, files }: Snapshot): AsyncGenerator<{ sha256: string; size: number | null }> {
  for (const { chunks } of [...tables, files]) for (const sha256 of chunks) yield { sha256, size: null };
  for await (const rows of readStoredRows<FileRow>(store, files)) for (const [, sha256, size] of rows) yield { sha256, size };
}

export interface CheckResult {
  snapshots: string[];
  objects: number;
  bytes: number;
  problems: string[];
  /** Ids of the snapshots with problems. */
  damaged: Set<string>;
}

/** Reads everything that the snapshots need and compares it with its hashes. `setsAside`: moves objects away that are not as they were stored. */
export async function checkBackup(store: BackupStore, progress: (line: string) => void, setsAside = false): Promise<CheckResult> {
  const snapshots = await store.listSnapshots();
  const problems: string[] = [];
  const damagedSnapshots = new Set<string>();
  const checked = new Map<string, string | null>();
  const counts = createCounter("Read", "files", progress);
  for (const id of snapshots) {
    const damaged = new Set<string>();
    try {
      for await (const object of objectsOf(store, await store.readSnapshot(id))) {
        if (!checked.has(object.sha256)) {
          const problem = await store.findProblem(object);
          checked.set(object.sha256, problem);
          if (problem !== null && setsAside) await store.setAside(object.sha256);
          counts.add(1, object.size ?? 0);
        }
        if (checked.get(object.sha256) !== null) damaged.add(object.sha256);
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      problems.push(`${id}: ${error.message}`);
      damagedSnapshots.add(id);
    }
    if (damaged.size > 0) damagedSnapshots.add(id);
    for (const sha256 of damaged) problems.push(`${id}: ${store.pathOf(sha256)} ${checked.get(sha256)}.`);
  }
  return { snapshots, objects: checked.size, bytes: counts.totals.bytes, problems, damaged: damagedSnapshots };
}

/**
 * Removes all but this and the newest other snapshots, `keep` in all, and what only they need; returns how many snapshots and bytes. The clock may have been
 * set back, so the snapshot that was just made need not be the newest by its name. Throws, and removes nothing, if one of the others cannot be read, because
 * what it needs is not known then.
 */
export async function pruneBackups(store: BackupStore, keep: number, made: string): Promise<{ snapshots: number; bytes: number }> {
  const others = (await store.listSnapshots()).filter((id) => id !== made);
  const oldCount = Math.max(0, others.length - (keep - 1));
  const [old, kept] = [others.slice(0, oldCount), [...others.slice(oldCount), made]];
  const needed = new Set<string>();
  for (const id of kept) for await (const { sha256 } of objectsOf(store, await store.readSnapshot(id))) needed.add(sha256);
  for (const id of old) await store.removeSnapshot(id);
  let bytes = 0;
  for await (const { sha256, size } of store.listObjects()) {
    if (needed.has(sha256)) continue;
    await store.removeObject(sha256);
    bytes += size;
  }
  return { snapshots: old.length, bytes };
}
