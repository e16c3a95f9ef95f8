/** Where the bytes of unfinished resumable uploads are, for @tus/server: files on the local disk, or parts in storage. */
import { FileStore } from "@tus/file-store";
import { DataStore, ERRORS, Upload } from "@tus/server";
import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ResumableParts, Storage, StoredBlob } from "../../storage/storage.ts";
import { createPartHashes } from "./part-hashes.ts";
import type { PartReservation } from "./quota.ts";
import { RESUMABLE_MS } from "./resumable.ts";

export interface PartStore extends DataStore {
  /** Turns the complete upload into a blob. */
  toBlob(id: string, size: number): Promise<StoredBlob>;
  /** Whether repeated calls of `toBlob` return the same blob, which must stay until the upload ends. */
  hasOneBlob: boolean;
  /** Removes what an upload has left, and its bytes too unless they are recorded as a file. */
  end(id: string, isRecorded: boolean): Promise<void>;
}

/** Returns the quota that the bytes of an upload from `offset` on take. */
type Reserve = (id: string, offset: number) => Promise<PartReservation>;

/** `isOnlyProcess`: whether no other process can write to files in the folder, even one that has lost its lock. */
export function createPartStore(storage: Storage, folder: string, reserve: Reserve, isOnlyProcess: boolean): PartStore {
  return storage.resumable ? new StoredPartStore(storage.resumable, reserve) : new DiskPartStore(folder, storage, reserve, isOnlyProcess);
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash | null): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash?.update(chunk);
    yield chunk;
  }
}

/** Stores unfinished uploads on the local disk, one file each, and passes disk errors through unchanged. */
class DiskPartStore extends FileStore implements PartStore {
  readonly hasOneBlob = false;
  readonly #storage: Storage;
  readonly #reserve: Reserve;
  readonly #isOnlyProcess: boolean;
  readonly #hashes = createPartHashes();

  constructor(directory: string, storage: Storage, reserve: Reserve, isOnlyProcess: boolean) {
    super({ directory, expirationPeriodInMilliseconds: RESUMABLE_MS });
    this.#storage = storage;
    this.#isOnlyProcess = isOnlyProcess;
    this.#reserve = reserve;
  }

  #pathOf(id: string): string {
    return join(this.directory, id);
  }

  /** Creates a part; leaves nothing behind if that fails, for example on a full disk. */
  override async create(upload: Upload): Promise<Upload> {
    try {
      const created = await super.create(upload);
      // A part that fails forgets the hash for good, because a write of it may still be under way.
      this.#hashes.remember(upload.id, createHash("sha256"), await stat(this.#pathOf(upload.id), { bigint: true }));
      return created;
    } catch (error) {
      await this.end(upload.id);
      throw error;
    }
  }

  /** Writes the stream at `offset`; bytes already received stay on disk however the stream ends. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const reservation = await this.#reserve(id, offset);
    const path = this.#pathOf(id);
    this.#hashes.enter(id);
    const before = await stat(path, { bigint: true }).catch(() => null);
    const hash = this.#isOnlyProcess && before ? this.#hashes.take(id, offset, before) : null;
    const file = createWriteStream(path, { flags: "r+", start: offset });
    try {
      await pipeline(this.#storage.admit(reservation.admit(source)), (chunks) => hashed(chunks, hash), file);
      // Only now: after an error, the hash may be ahead of the disk.
      const stats = await stat(path, { bigint: true });
      if (hash && stats.size === BigInt(offset + file.bytesWritten)) this.#hashes.remember(id, hash, stats);
      return offset + file.bytesWritten;
    } finally {
      this.#hashes.leave(id);
      // A reservation that cannot be changed now is changed by the next part, or expires with the upload.
      await reservation.settle(offset + file.bytesWritten).catch(() => {});
    }
  }

  toBlob(id: string, size: number): Promise<StoredBlob> {
    return this.#storage.importFile(this.#pathOf(id), size, (stats) => this.#hashes.find(id, stats));
  }

  /** Idempotent: removing a missing part is not an error. */
  override remove(id: string): Promise<void> {
    return this.end(id);
  }

  /** Removes a part and its metadata file, whether or not they exist. A blob has its own link to the bytes. */
  async end(id: string): Promise<void> {
    this.#hashes.forget(id);
    await rm(this.#pathOf(id), { force: true });
    await rm(`${this.#pathOf(id)}.json`, { force: true });
  }
}

/** Stores unfinished uploads in storage, so that any process continues them. */
class StoredPartStore extends DataStore implements PartStore {
  readonly hasOneBlob = true;
  readonly #parts: ResumableParts;
  readonly #reserve: Reserve;

  constructor(parts: ResumableParts, reserve: Reserve) {
    super();
    this.#parts = parts;
    this.#reserve = reserve;
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  override getExpiration(): number {
    return RESUMABLE_MS;
  }

  override async create(upload: Upload): Promise<Upload> {
    upload.creation_date = new Date().toISOString();
    await this.#parts.create(upload.id, { size: upload.size ?? 0, metadata: upload.metadata ?? {}, createdAt: upload.creation_date });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const state = await this.#parts.find(id);
    if (!state) throw ERRORS.FILE_NOT_FOUND;
    const { size, offset, metadata, createdAt } = state;
    return new Upload({ id, size, offset, metadata, creation_date: createdAt });
  }

  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const reservation = await this.#reserve(id, offset);
    return this.#parts.write(id, offset, reservation.admit(source), (arrived) => reservation.settle(arrived).catch(() => {}));
  }

  toBlob(id: string): Promise<StoredBlob> {
    return this.#parts.finish(id);
  }

  /** The bytes are removed by `end`, once no request can record them any more: another process may be finishing the upload now. */
  override async remove(): Promise<void> {}

  end(id: string, isRecorded: boolean): Promise<void> {
    return isRecorded ? this.#parts.forget(id) : this.#parts.discard(id);
  }
}
