/** Which files the browser holds a copy of, so that a reload goes on with them: copying costs as much as uploading to a disk. */

const MOST_BYTES_EACH = 1_000_000_000;
const MOST_BYTES_TOGETHER = 2_000_000_000;

/** Whether a copy of one more file is worth its place; `heldBytes` are copied already. */
export const isWorthKeeping = (bytes: number, heldBytes: number): boolean => bytes <= MOST_BYTES_EACH && heldBytes + bytes <= MOST_BYTES_TOGETHER;
