/** Reads an object as a stream that continues after a broken or stalled connection, and ends in an error if the store does not send all of it. */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { StorageUnavailableError } from "../storage.ts";
import type { Bucket, BucketTiming, OpenObject } from "./bucket.ts";

/** Opens an object, or its bytes from `start` to `end`, both inclusive; null if there is none. */
export async function readObject(
  bucket: Bucket,
  key: string,
  range: { start: number; end: number } | undefined,
  { idleMs, attempts, backoffMs }: BucketTiming,
): Promise<Readable | null> {
  const controller = new AbortController();
  const { signal } = controller;
  const first = await bucket.get(key, range, signal);
  if (!first) return null;
  const start = range?.start ?? 0;
  const total = first.size;

  async function reopen(received: number): Promise<OpenObject> {
    const object = await bucket.get(key, { start: start + received, end: start + total - 1 }, signal);
    if (!object) throw new StorageUnavailableError(new Error("The object was removed while it was read"));
    return object;
  }

  async function* read(): AsyncGenerator<Buffer> {
    let object: OpenObject = first!;
    let received = 0;
    for (let failures = 0; received < total;) {
      try {
        for await (const chunk of watch(object.body, idleMs, signal)) {
          const wanted = chunk.subarray(0, total - received);
          received += wanted.byteLength;
          failures = 0;
          yield wanted;
          if (wanted.byteLength < chunk.byteLength) break;
        }
        if (received < total) throw new Error(`The store sent ${received} of ${total} bytes`);
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (failures >= attempts) throw new StorageUnavailableError(error);
        await sleep(backoffMs * 2 ** (failures - 1), undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        object = await reopen(received);
      }
    }
  }

  const chunks = read();
  // `Readable.from` would wait for the next chunk before it ends the request of a reader that goes away.
  return new Readable({
    highWaterMark: 256 * 1_024,
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      controller.abort();
      first.body.destroy();
      done(error);
    },
  });
}

/** Passes chunks on, and throws if the next one takes longer than `idleMs`, or once the signal aborts. Time in which nobody asks for one does not count. */
async function* watch(body: Readable, idleMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const abort = () => body.destroy(new Error("aborted"));
  signal.addEventListener("abort", abort, { once: true });
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error(`The store sent nothing for ${idleMs} ms`)), idleMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    body.destroy();
  }
}
