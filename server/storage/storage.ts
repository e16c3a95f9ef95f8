/** Where bytes live. Everything else holds keys; a blob is complete or not there at all, and never changes. */
import type { Readable } from "node:stream";

export interface StoredBlob {
  key: string;
  size: number;
  /** Hex. */
  sha256: string;
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
  /** Stores a finished local file, without copying where it can. `path` stays; its owner removes it when the blob is recorded. */
  adopt(path: string): Promise<StoredBlob>;
  /** Opens for reading; throws a 404 when there is no such blob. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** null: not there. */
  size(key: string): Promise<number | null>;
  /** Hands out a local path for programs that need one; only valid until `work` ends. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  /** All keys, for the check that finds orphans. */
  keys(): AsyncIterable<string>;
}
