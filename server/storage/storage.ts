/**
 * Interface of the blob storage, and the check that compares it with the recorded keys; everything else holds keys. A blob is either complete or absent,
 * and immutable.
 */
import type { Readable } from "node:stream";

/** A younger blob is not an orphan, because bytes are stored before their record, and copying a long file takes time. */
export const UPLOAD_GRACE_MS = 24 * 3_600_000;

export interface StoredBlob {
  key: string;
  size: number;
  /** Hex. */
  sha256: string;
}

export interface StoredEntry {
  key: string;
  size: number;
  /** Epoch milliseconds. */
  storedAt: number;
}

export interface ByteRange {
  /** First and last byte, inclusive. */
  start: number;
  end: number;
}

export interface Storage {
  /**
   * Stores a stream. Throws a 413 beyond `maxBytes`, a 400 if the stream is shorter or longer than `expectedBytes`, a 507 if it does not fit beside the
   * reserve of free disk space, and whatever the stream throws; after an error nothing is left behind.
   */
  put(source: AsyncIterable<Uint8Array>, limits: { maxBytes: number; expectedBytes?: number | undefined }): Promise<StoredBlob>;
  /**
   * Stores a finished local file of this size, without copying where possible, so nobody may write to it afterwards. Throws for a symbolic link.
   * `path` remains; its owner removes it once the blob is recorded.
   */
  importFile(path: string, expectedBytes: number): Promise<StoredBlob>;
  /** Opens a blob for reading; throws a 404 if it does not exist. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Returns null if the blob does not exist. */
  size(key: string): Promise<number | null>;
  /** Provides a local path for programs that need one, valid only until `work` ends. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  /** Provides an empty folder on the disk of the blobs, for files to pass to `importFile`; the folder is removed when `work` ends. */
  withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Passes a stream that somebody else writes to the disk of the blobs on, and throws a 507 once it would use the reserve of free disk space. */
  admit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns how many bytes fit beside the reserve of free disk space. */
  availableBytes(): Promise<number>;
  /** Lists all blobs, for the check that finds orphans. */
  list(): AsyncIterable<StoredEntry>;
  /** Removes leftovers of interrupted uploads and work, unless they were written to in the last `idleMs`. */
  removeStale(idleMs: number): Promise<number>;
}

export interface RecordedKey {
  key: string;
  /** Names the file that the bytes belong to, for display. */
  description: string;
}
interface Discrepancies {
  blobs: number;
  bytes: number;
  /** Recorded but not stored: the file cannot be served. */
  missing: RecordedKey[];
  /** Stored but not recorded: wasted disk space. */
  orphans: { key: string; size: number }[];
}

/** Compares stored blobs with recorded keys, in both directions. */
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
