/** Chunks of RIFF (WAV, RF64, BW64) and IFF (AIFF) files, which differ in their byte order. */
import type { ByteSource, Piece } from "./types.ts";

export interface Chunk {
  id: string;
  /** Of the header. */
  start: number;
  bodyStart: number;
  bodyEnd: number;
  /** Of the chunk with the byte that makes its length even; the last one may lack it. */
  end: number;
}

const MAX_CHUNKS = 10_000;
/** The length in the file is in the chunk "ds64". */
const IN_DS64 = 0xff_ff_ff_ff;

/** Returns the chunks after the 12 bytes of the form; null for a damaged file, to whose end nothing could be added safely. */
export async function readChunks(source: ByteSource, order: "little" | "big"): Promise<Chunk[] | null> {
  const chunks: Chunk[] = [];
  let dataLength: number | null = null;
  for (let start = 12; start < source.size;) {
    const head = await source.read(start, start + 8);
    // Some programs leave a byte behind the last chunk.
    if (head.length < 8) return source.size - start < 2 ? chunks : null;
    const id = head.toString("latin1", 0, 4);
    const stored = order === "little" ? head.readUInt32LE(4) : head.readUInt32BE(4);
    const length = id === "data" && stored === IN_DS64 && dataLength !== null ? dataLength : stored;
    const bodyEnd = start + 8 + length;
    if (!/^[ -~]{4}$/.test(id) || bodyEnd > source.size || chunks.length >= MAX_CHUNKS) return null;
    if (id === "ds64" && length >= 16) dataLength = Number((await source.read(start + 16, start + 24)).readBigUInt64LE(0));
    const end = Math.min(source.size, bodyEnd + (length % 2));
    chunks.push({ id, start, bodyStart: start + 8, bodyEnd, end });
    start = end;
  }
  return chunks;
}

/** The pieces of a chunk that stays as it is. */
export const keepChunk = ({ start, bodyEnd, end }: Chunk): Piece[] => [
  { start, end },
  ...((bodyEnd - start) % 2 === 1 && end === bodyEnd ? [Buffer.alloc(1)] : []),
];

export function createChunk(id: string, body: Buffer, order: "little" | "big"): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  if (order === "little") head.writeUInt32LE(body.length, 4);
  else head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
