/** Boxes of MP4 files (ISO 14496-12). */
import { type ByteSource, MAX_TAG_BYTES } from "./types.ts";

export interface Box {
  type: string;
  /** Of the header. */
  start: number;
  bodyStart: number;
  end: number;
}

/** What may still be read of one file: all its boxes, and all bytes of those that are read whole. */
export interface Budget {
  boxes: number;
  bytes: number;
}

export const createBudget = (): Budget => ({ boxes: 10_000, bytes: MAX_TAG_BYTES });
const MAX_BOX_BYTES = 0xff_ff_ff_ff;
const WINDOW_BYTES = 65_536;

/** Returns a source that reads headers which are near each other together. */
export function readInWindows(source: ByteSource): ByteSource {
  let window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  return {
    size: source.size,
    async read(start, end) {
      if (end - start > WINDOW_BYTES) return source.read(start, end);
      if (start < window.start || end > window.start + window.bytes.length) window = { start, bytes: await source.read(start, start + WINDOW_BYTES) };
      return window.bytes.subarray(start - window.start, end - window.start);
    },
  };
}

/** Returns the boxes between two places; null for a damaged file, or if there are too many. Fewer than eight bytes at the end are no box. */
export async function readBoxes(source: ByteSource, from: number, to: number, budget: Budget): Promise<Box[] | null> {
  const boxes: Box[] = [];
  for (let start = from; start + 8 <= to;) {
    budget.boxes -= 1;
    if (budget.boxes < 0) return null;
    const head = await source.read(start, Math.min(to, start + 16));
    if (head.length < 8) return null;
    const stored = head.readUInt32BE(0);
    const isLong = stored === 1;
    if (isLong && head.length < 16) return null;
    // A length of 0 means up to the end of the file.
    const length = isLong ? Number(head.readBigUInt64BE(8)) : stored === 0 && to === source.size ? to - start : stored;
    const end = start + length;
    if (length < (isLong ? 16 : 8) || end > to) return null;
    boxes.push({ type: head.toString("latin1", 4, 8), start, bodyStart: start + (isLong ? 16 : 8), end });
    start = end;
  }
  return boxes;
}

/** Returns true for boxes of which readers take different ones. */
export const isTwice = (boxes: readonly Box[], type: string): boolean => boxes.filter((box) => box.type === type).length > 1;

export function createBox(type: string, ...body: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...body]);
}

/** Returns the bytes of a box; null if it is too long. They may be changed. */
export async function readWhole(source: ByteSource, { start, end }: Box, budget: Budget): Promise<Buffer | null> {
  budget.bytes -= end - start;
  return budget.bytes < 0 ? null : Buffer.from(await source.read(start, end));
}

/** Returns a header for another length that is as long as before; null if the box would be too long. */
export function createHead({ type, start, bodyStart }: Box, length: number): Buffer | null {
  const head = Buffer.alloc(bodyStart - start);
  if (head.length === 16) head.writeBigUInt64BE(BigInt(length), 8);
  else if (length > MAX_BOX_BYTES) return null;
  head.writeUInt32BE(head.length === 16 ? 1 : length);
  head.write(type, 4, "latin1");
  return head;
}
