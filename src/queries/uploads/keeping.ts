/** Decides which files the browser copies so that a reload can resume them, since copying costs as much as uploading to a disk. */

const MAX_FILE_BYTES = 1_000_000_000;
const MAX_TOTAL_BYTES = 2_000_000_000;

/** Returns whether to copy one more file; `cachedBytes` are copied already. */
export const shouldCacheBytes = (bytes: number, cachedBytes: number): boolean => bytes <= MAX_FILE_BYTES && cachedBytes + bytes <= MAX_TOTAL_BYTES;

/** More parallel copies would only delay the first one. */
const MAX_PARALLEL_COPIES = 3;

/** Copies files in the order of the requests, a few in parallel. */
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
