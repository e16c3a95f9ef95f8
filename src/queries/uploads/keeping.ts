/** Which files the browser holds a copy of, so that a reload goes on with them: copying costs as much as uploading to a disk. */

const MAX_FILE_BYTES = 1_000_000_000;
const MAX_TOTAL_BYTES = 2_000_000_000;

/** Whether a copy of one more file is worth its place; `cachedBytes` are copied already. */
export const shouldCacheBytes = (bytes: number, cachedBytes: number): boolean => bytes <= MAX_FILE_BYTES && cachedBytes + bytes <= MAX_TOTAL_BYTES;

/** More at once only make the first one late. */
const MAX_PARALLEL_COPIES = 3;

/** Copies one after the other in a few lanes, in the order they were asked for. */
export function createByteCopier(copy: (id: string, file: Blob) => Promise<void>): { add(id: string, file: Blob): void } {
  const queue: [string, Blob][] = [];
  let activeCount = 0;
  async function drain(): Promise<void> {
    activeCount += 1;
    for (let next = queue.shift(); next; next = queue.shift()) await copy(...next).catch(() => undefined);
    activeCount -= 1;
  }
  return {
    add(id, file) {
      queue.push([id, file]);
      if (activeCount < MAX_PARALLEL_COPIES) void drain();
    },
  };
}
