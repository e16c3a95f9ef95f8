/** A file on the local disk that collects the bytes of one part, so that they can be sent with their length, and again. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Payload } from "./bucket.ts";

export interface Spool {
  readonly size: number;
  /** Appends bytes, at most `limit` in all, and returns those that did not fit. */
  fill(chunk: Uint8Array, limit: number): Promise<Uint8Array | null>;
  /** Returns the bytes for sending; nothing may be appended until they are sent. */
  payload(): Payload;
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function openSpool(path: string): Promise<Spool> {
  const file: FileHandle = await open(path, "wx+", 0o600);
  let hash = createHash("md5");
  let size = 0;
  return {
    get size() {
      return size;
    },
    async fill(chunk, limit) {
      const taken = chunk.subarray(0, limit - size);
      for (let written = 0; written < taken.byteLength;) written += (await file.write(taken, written, taken.byteLength - written, size + written)).bytesWritten;
      hash.update(taken);
      size += taken.byteLength;
      return taken.byteLength < chunk.byteLength ? chunk.subarray(taken.byteLength) : null;
    },
    payload() {
      const length = size;
      return {
        size: length,
        md5: hash.copy().digest("base64"),
        open: () => createReadStream(path, { start: 0, end: Math.max(0, length - 1), highWaterMark: 256 * 1_024 }),
      };
    },
    async empty() {
      await file.truncate(0);
      hash = createHash("md5");
      size = 0;
    },
    close: () => file.close(),
  };
}
