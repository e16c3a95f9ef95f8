/** Unfinished uploads on the local disk, one file each; a failure of the disk stays what it is. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";

/** What @tus/server hands to its store. */
type Part = Parameters<FileStore["create"]>[0];

export class PartStore extends FileStore {
  pathOf(id: string): string {
    return join(this.directory, id);
  }

  /** Leaves nothing behind where there is no room even to begin. */
  override async create(part: Part): Promise<Part> {
    try {
      return await super.create(part);
    } catch (error) {
      await this.deletePart(part.id);
      throw error;
    }
  }

  /** Appends; what has come stays, whatever ends the stream. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(this.pathOf(id), { flags: "r+", start: offset });
    await pipeline(source, file);
    return offset + file.bytesWritten;
  }

  /** May be asked again: what is not there is no failure. */
  override remove(id: string): Promise<void> {
    return this.deletePart(id);
  }

  /** Removes a part and its description, in whatever state they are. */
  async deletePart(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true });
    await rm(`${this.pathOf(id)}.json`, { force: true });
  }
}
