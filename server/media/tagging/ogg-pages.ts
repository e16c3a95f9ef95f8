/** Pages of Ogg (RFC 3533): reading, creating and renumbering them. */
import type { ByteSource } from "./types.ts";

const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;
const MAX_PAGE_BYTES = HEADER_BYTES + MAX_SEGMENTS + MAX_SEGMENTS * 255;
const WINDOW_BYTES = 4 * MAX_PAGE_BYTES;
export const CONTINUED = 1;
export const FIRST = 2;
export const LAST = 4;
/** The granule position of a page on which no packet ends. */
const NO_GRANULE = 0xffff_ffff_ffff_ffffn;

export interface Page {
  start: number;
  end: number;
  flags: number;
  granule: bigint;
  serial: number;
  sequence: number;
  /** The lengths of its segments; one below 255 ends a packet. */
  lacing: Buffer;
  body: Buffer;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});

/** The checksum of a page, for which the four bytes of the checksum itself count as zero. */
export function pageChecksum(page: Buffer): number {
  let crc = 0;
  for (let index = 0; index < page.length; index += 1) {
    const byte = index >= 22 && index < 26 ? 0 : page[index]!;
    crc = (crc << 8) ^ CRC_TABLE[(crc >>> 24) ^ byte]!;
  }
  return crc >>> 0;
}

/** Returns the length of the page at `offset`; "incomplete" if more bytes are needed to tell or it is not whole, and null if there is no page. */
function findPage(bytes: Buffer, offset: number): number | "incomplete" | null {
  const head = bytes.subarray(offset, offset + HEADER_BYTES);
  if (!"OggS\0".startsWith(head.toString("latin1", 0, 5))) return null;
  if (head.length < HEADER_BYTES) return "incomplete";
  const segmentsEnd = offset + HEADER_BYTES + head[26]!;
  if (segmentsEnd > bytes.length) return "incomplete";
  const length = bytes.subarray(offset + HEADER_BYTES, segmentsEnd).reduce((sum, segment) => sum + segment, HEADER_BYTES + head[26]!);
  return offset + length > bytes.length ? "incomplete" : length;
}

/** Returns a function that reads the page at an offset; null for a damaged one. */
export function createPageReader(source: ByteSource): (start: number) => Promise<Page | null> {
  let window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  return async (start) => {
    const find = () => (start < window.start ? "incomplete" : findPage(window.bytes, start - window.start));
    let length = find();
    if (length === "incomplete") {
      window = { start, bytes: await source.read(start, start + WINDOW_BYTES) };
      length = find();
    }
    if (length === null || length === "incomplete") return null;
    const page = window.bytes.subarray(start - window.start, start - window.start + length);
    if (page.readUInt32LE(22) !== pageChecksum(page)) return null;
    const bodyStart = HEADER_BYTES + page[26]!;
    return {
      start,
      end: start + length,
      flags: page[5]!,
      granule: page.readBigUInt64LE(6),
      serial: page.readUInt32LE(14),
      sequence: page.readUInt32LE(18),
      lacing: page.subarray(HEADER_BYTES, bodyStart),
      body: page.subarray(bodyStart),
    };
  };
}

export const hasNoGranule = ({ granule }: Page): boolean => granule === 0n || granule === NO_GRANULE;

/** Returns the header packets as pages, `pageCount` of them if that is possible. `flags`: of the last one. */
export function createHeaderPages(
  packets: readonly Buffer[],
  { serial, sequence, pageCount, flags }: { serial: number; sequence: number; pageCount: number; flags: number },
): Buffer[] {
  const lacing = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  const fewest = Math.ceil(lacing.length / MAX_SEGMENTS);
  const count = pageCount >= fewest && pageCount <= lacing.length ? pageCount : fewest;
  const body = Buffer.concat(packets);
  const pages: Buffer[] = [];
  let [segment, offset] = [0, 0];
  while (pages.length < count) {
    const segments = Buffer.from(lacing.slice(segment, segment + Math.min(MAX_SEGMENTS, lacing.length - segment - (count - pages.length - 1))));
    const end = segments.reduce((sum, length) => sum + length, offset);
    const page = Buffer.concat([Buffer.alloc(HEADER_BYTES), segments, body.subarray(offset, end)]);
    page.write("OggS", "latin1");
    page[5] = (lacing[segment - 1] === 255 ? CONTINUED : 0) | (pages.length === count - 1 ? flags : 0);
    page.writeBigUInt64LE(segments.every((length) => length === 255) ? NO_GRANULE : 0n, 6);
    page.writeUInt32LE(serial, 14);
    page.writeUInt32LE((sequence + pages.length) >>> 0, 18);
    page[26] = segments.length;
    page.writeUInt32LE(pageChecksum(page), 22);
    pages.push(page);
    [segment, offset] = [segment + segments.length, end];
  }
  return pages;
}

/** Moves the sequence numbers of a stream's pages up to its end. A page whose checksum is wrong stays as it is, and so does everything behind bytes that are no page. */
export const renumberPages = (serial: number, difference: number) =>
  async function* renumber(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let pending = Buffer.alloc(0);
    let isDone = false;
    for await (const chunk of bytes) {
      pending = Buffer.concat([pending, chunk]);
      let offset = 0;
      while (!isDone && offset < pending.length) {
        const length = findPage(pending, offset);
        if (length === "incomplete") break;
        isDone = length === null || renumberPage(pending.subarray(offset, offset + length), serial, difference);
        offset += length ?? 0;
      }
      if (isDone) offset = pending.length;
      if (offset > 0) yield pending.subarray(0, offset);
      pending = pending.subarray(offset);
    }
    if (pending.length > 0) yield pending;
  };

/** Returns true for the last page of the stream. */
function renumberPage(page: Buffer, serial: number, difference: number): boolean {
  if (page.readUInt32LE(14) !== serial) return false;
  if (page.readUInt32LE(22) === pageChecksum(page)) {
    page.writeUInt32LE((page.readUInt32LE(18) + difference) >>> 0, 18);
    page.writeUInt32LE(pageChecksum(page), 22);
  }
  return (page[5]! & LAST) !== 0;
}
