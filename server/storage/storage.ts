/** Where bytes live. Everything else holds keys; a blob is complete or not there at all, and never changes. */
import type { Readable } from "node:stream";

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
   * Stores a stream. Throws a 413 beyond `maxBytes`, a 400 when the stream ends before or runs past `expectedBytes`,
   * and whatever the stream throws; then nothing is left behind.
   */
  put(source: AsyncIterable<Uint8Array>, limits: { maxBytes: number; expectedBytes?: number | undefined }): Promise<StoredBlob>;
  /**
   * Stores a finished local file of this size, without copying where it can: nobody may write to it any more.
   * `path` stays; its owner removes it when the blob is recorded.
   */
  importFile(path: string, expectedBytes: number): Promise<StoredBlob>;
  /** Opens for reading; throws a 404 when there is no such blob. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** null: not there. */
  size(key: string): Promise<number | null>;
  /** Hands out a local path for programs that need one; only valid until `work` ends. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  /** Hands out an empty folder on the disk of the blobs, for files that `importFile` may take; it is gone when `work` ends. */
  withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** All blobs, for the check that finds orphans. */
  list(): AsyncIterable<StoredEntry>;
  /** Clears away what broken-off uploads and work left behind, unless it was written to in the last `idleMs`. */
  removeStale(idleMs: number): Promise<number>;
}
