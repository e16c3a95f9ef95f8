/** Stores unfinished uploads on the local disk, one file each, and passes disk errors through unchanged. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";

/** The upload object that @tus/server passes to its store. */
type Part = Parameters<FileStore["create"]>[0];

export class PartStore extends FileStore {
  pathOf(id: string): string {
    return join(this.directory, id);
  }

  /** Creates a part; leaves nothing behind if that fails, for example on a full disk. */
  override async create(part: Part): Promise<Part> {
    try {
      return await super.create(part);
    } catch (error) {
      await this.deletePart(part.id);
      throw error;
    }
  }

  /** Writes the stream at `offset`; bytes already received stay on disk however the stream ends. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(this.pathOf(id), { flags: "r+", start: offset });
    await pipeline(source, file);
    return offset + file.bytesWritten;
  }

  /** Idempotent: removing a missing part is not an error. */
  override remove(id: string): Promise<void> {
    return this.deletePart(id);
  }

  /** Removes a part and its metadata file, whether or not they exist. */
  async deletePart(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true });
    await rm(`${this.pathOf(id)}.json`, { force: true });
  }
}
