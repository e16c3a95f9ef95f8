/** Boxes of MP4 files (ISO 14496-12). */
import type { ByteSource, Piece } from "./types.ts";
import { totalLength } from "./types.ts";

export interface Box {
  type: string;
  /** Of the header. */
  start: number;
  bodyStart: number;
  end: number;
}

const MAX_BOXES = 10_000;
const MAX_BOX_BYTES = 0xff_ff_ff_ff;

/** Returns the boxes between two places; null for a damaged file. Fewer than eight bytes at the end are no box. */
export async function readBoxes(source: ByteSource, from: number, to: number): Promise<Box[] | null> {
  const boxes: Box[] = [];
  for (let start = from; start + 8 <= to;) {
    const head = await source.read(start, Math.min(to, start + 16));
    if (head.length < 8 || boxes.length >= MAX_BOXES) return null;
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

export function createBox(type: string, ...body: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...body]);
}

/** Returns a box with another body, whose header is as long as before; null if it would be too long. */
export function withBody({ type, start, bodyStart }: Box, body: readonly Piece[]): Piece[] | null {
  const head = Buffer.alloc(bodyStart - start);
  const length = head.length + totalLength(body);
  if (head.length === 16) head.writeBigUInt64BE(BigInt(length), 8);
  else if (length > MAX_BOX_BYTES) return null;
  head.writeUInt32BE(head.length === 16 ? 1 : length);
  head.write(type, 4, "latin1");
  return [head, ...body];
}
