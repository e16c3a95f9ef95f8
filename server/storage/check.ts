/** Holds what is stored against what is recorded, both ways. */
import type { Storage } from "./storage.ts";

export interface RecordedKey {
  key: string;
  /** For a person: which file the bytes belong to. */
  description: string;
}
export interface Discrepancies {
  blobs: number;
  bytes: number;
  /** Recorded, but not there: the file cannot be served. */
  missing: RecordedKey[];
  /** There, but recorded nowhere: room that nobody uses. */
  orphans: { key: string; size: number }[];
}

/** Bytes come before their record: what is younger than this may yet get one. Copies of long files take their time. */
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
    // Recorded since the walk went by, or removed since the records were read: only what is really absent counts.
    if ((await storage.size(key)) === null) report.missing.push({ key, description });
  }
  return report;
}
