/**
 * Interface of the blob storage, and the check that compares it with the recorded keys; everything else holds keys. A blob is either complete or absent,
 * and immutable.
 */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Readable } from "node:stream";
import { HttpError } from "../lib/errors.ts";

/** A younger blob is not an orphan, because bytes are stored before their record, and copying a long file takes time. */
export const UPLOAD_GRACE_MS = 24 * 3_600_000;

/** Names of blobs. */
export const KEY = /^[0-9a-f]{32}$/;
export const newKey = (): string => randomBytes(16).toString("hex");

/** The store of the bytes is out of reach, refuses requests or sends something else than was stored. The cause is for the log. */
export class StorageUnavailableError extends HttpError {
  constructor(cause: unknown) {
    super(503, "The file storage is unavailable. Nothing was saved. Try again.", { retryAfter: 5 });
    this.cause = cause;
  }
}

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

export interface SignedHeaders {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
}

/** The state of an upload that arrives in several requests, possibly at several processes. */
export interface ResumableState {
  size: number;
  offset: number;
  metadata: Record<string, string | null>;
  /** ISO 8601. */
  createdAt: string;
}

export interface ResumableParts {
  create(id: string, upload: Omit<ResumableState, "offset">): Promise<void>;
  /** Returns null if there is no such upload. */
  find(id: string): Promise<ResumableState | null>;
  /**
   * Stores what the stream has, also if it ends in an error, and returns the new offset. `settle` gets the offset in every case. Throws a 409 if the
   * offset is another one, or once another request writes to the upload.
   */
  write(id: string, offset: number, source: AsyncIterable<Uint8Array>, settle?: (offset: number) => Promise<void>): Promise<number>;
  /** Turns the complete upload into a blob. Repeated calls return the same one. */
  finish(id: string): Promise<StoredBlob>;
  /** Removes the state of a finished upload, not its blob. */
  forget(id: string): Promise<void>;
  /** Removes an upload with all its bytes; only for one whose blob is not recorded and will not be. */
  discard(id: string): Promise<void>;
}

/** The store cannot be used as it is set up; the message says what the operator can do. */
export class StorageSetupError extends Error {}

export interface Storage {
  /**
   * Stores a stream. Throws a 413 beyond `maxBytes`, a 400 if the stream is shorter or longer than `expectedBytes`, a 507 if it does not fit beside the
   * reserve of free disk space, and whatever the stream throws; after an error nothing is left behind. `key`: of a blob that comes from another storage
   * and is absent here; otherwise the blob gets a new one.
   */
  put(source: AsyncIterable<Uint8Array>, limits: { maxBytes: number; expectedBytes?: number | undefined; key?: string | undefined }): Promise<StoredBlob>;
  /**
   * Stores a finished local file of this size, without copying where possible, so nobody may write to it afterwards. Throws for a symbolic link.
   * `path` remains; its owner removes it once the blob is recorded. `findSha256` returns the hash (hex) of the open file if its owner knows it, else
   * null; without it, the file is read.
   */
  importFile(path: string, expectedBytes: number, findSha256?: (stats: BigIntStats) => string | null): Promise<StoredBlob>;
  /** Opens a blob for reading; throws a 404 if it does not exist. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Returns null if the blob does not exist. */
  size(key: string): Promise<number | null>;
  /** Provides a local path for programs that need one, valid only until `work` ends. */
  withLocalFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Provides a local path to a look at the content: the first and the last MiBs of a long file may be all of it, with zeros between. */
  withLocalSketch<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(key: string): Promise<void>;
  /** Provides an empty folder on the local disk, for files to pass to `importFile`; the folder is removed when `work` ends. */
  withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Passes a stream that somebody else writes to the local disk on, and throws a 507 once it would use the reserve of free disk space. */
  admit(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns how many bytes fit beside the reserve of free disk space. */
  availableBytes(): Promise<number>;
  /** Stores uploads that arrive in several requests; null: their parts are files on the local disk. */
  resumable: ResumableParts | null;
  /** The origin of signed URLs; null if there are none. */
  browserOrigin: string | null;
  /** Returns a URL with which a browser reads the blob from the store for some minutes, with these headers of the response; null if there are none. */
  signUrl(key: string, headers: SignedHeaders): Promise<string | null>;
  /** Throws a `StorageSetupError` with a sentence for the operator if blobs cannot be written, read and deleted. */
  check(): Promise<void>;
  /** Throws if the store does not respond now, or what it needs on the local disk cannot be written. Writes nothing, so it can be called often. */
  probe(): Promise<void>;
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
