/** Compares stored blobs with recorded keys, in both directions. */
import type { Storage } from "./storage.ts";

export interface RecordedKey {
  key: string;
  /** Names the file that the bytes belong to, for display. */
  description: string;
}
export interface Discrepancies {
  blobs: number;
  bytes: number;
  /** Recorded but not stored: the file cannot be served. */
  missing: RecordedKey[];
  /** Stored but not recorded: wasted disk space. */
  orphans: { key: string; size: number }[];
}

/** Bytes are stored before their record, so younger blobs may still get one. Copying long files takes time. */
export const UPLOAD_GRACE_MS = 24 * 3_600_000;

export async function checkStorage(storage: Storage, recorded: AsyncIterable<RecordedKey>, now: number): Promise<Discrepancies> {
  const unresolved = new Map<string, string>();
  for await (const { key, description } of recorded) unresolved.set(key, description);
  const report: Discrepancies = { blobs: 0, bytes: 0, missing: [], orphans: [] };
  for await (const { key, size, storedAt } of storage.list()) {
    report.blobs += 1;
    report.bytes += size;
    if (!unresolved.delete(key) && storedAt <= now - UPLOAD_GRACE_MS) report.orphans.push({ key, size });
  }
  for (const [key, description] of unresolved) {
    // A key may be recorded after the walk passed it, or removed after the records were read: only blobs that are absent now count.
    if ((await storage.size(key)) === null) report.missing.push({ key, description });
  }
  return report;
}
