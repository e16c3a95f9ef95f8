/** Cuts a stream into parts: one is sent while the next one is collected, so that at most two of them are on the local disk. */
import { join } from "node:path";
import type { Payload } from "./bucket.ts";
import { openSpool, type Spool } from "./spool.ts";

/** The smallest part that is not the last one, by the protocol, is 5 MiB, and an object has at most 10,000. */
export const PART_BYTES = 8 * 1_024 * 1_024;
const MAX_PARTS = 9_000;
const MIB = 1_024 * 1_024;

/** Returns the size of the parts of an object of at most `maxBytes`: larger ones only where there would be too many. */
export function partBytesFor(maxBytes: number, partBytes = PART_BYTES): number {
  const needed = Number.isFinite(maxBytes) ? maxBytes / MAX_PARTS : 0;
  return needed > partBytes ? Math.ceil(needed / MIB) * MIB : partBytes;
}

export interface PartSender {
  /** Appends bytes; resolves when there is space for more. Throws the error of a part that could not be sent. */
  write(chunk: Uint8Array): Promise<void>;
  /** Waits for the part that is being sent, and returns the last one, which is not full. */
  end(): Promise<Payload>;
  close(): Promise<void>;
}

/** `folder`: for the files of parts. `send` sends a full part; it is called for one after the other. */
export async function openPartSender(folder: string, partBytes: number, send: (payload: Payload) => Promise<void>): Promise<PartSender> {
  let current: Spool = await openSpool(join(folder, "part-0"));
  let other: Spool | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function rotate(): Promise<void> {
    await sending;
    const full = current;
    other ??= await openSpool(join(folder, "part-1"));
    await other.empty();
    [current, other] = [other, full];
    sending = send(full.payload());
    // The next write or the end throws it.
    sending.catch(() => {});
  }

  return {
    async write(chunk) {
      for (let rest: Uint8Array | null = chunk; rest;) {
        if (current.size === partBytes) await rotate();
        rest = await current.fill(rest, partBytes);
      }
    },
    async end() {
      await sending;
      return current.payload();
    },
    async close() {
      await sending.catch(() => {});
      await current.close();
      await other?.close();
    },
  };
}
