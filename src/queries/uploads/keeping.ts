/** Which files the browser holds a copy of, so that a reload goes on with them: copying costs as much as uploading to a disk. */

const MOST_BYTES_EACH = 1_000_000_000;
const MOST_BYTES_TOGETHER = 2_000_000_000;

/** Whether a copy of one more file is worth its place; `heldBytes` are copied already. */
export const isWorthKeeping = (bytes: number, heldBytes: number): boolean => bytes <= MOST_BYTES_EACH && heldBytes + bytes <= MOST_BYTES_TOGETHER;

/** More at once only make the first one late. */
const COPIES_AT_ONCE = 3;

/** Copies one after the other in a few lanes, in the order they were asked for. */
export function createCopies(copy: (id: string, file: Blob) => Promise<void>): { add(id: string, file: Blob): void } {
  const waiting: [string, Blob][] = [];
  let lanes = 0;
  async function work(): Promise<void> {
    lanes += 1;
    for (let next = waiting.shift(); next; next = waiting.shift()) await copy(...next).catch(() => undefined);
    lanes -= 1;
  }
  return {
    add(id, file) {
      waiting.push([id, file]);
      if (lanes < COPIES_AT_ONCE) void work();
    },
  };
}
