/**
 * A zip archive that is written while it is sent: stored, UTF-8 names, ZIP64 where sizes or counts ask for it (APPNOTE.TXT 6.3).
 * Sizes are known before, so its length is; checksums are not, so they follow each file (data descriptors).
 */
import { crc32 } from "node:zlib";

/** `path`: with "/" between, safe; a folder's ends with one. `open` is called when its turn comes; null: a folder. */
export interface ZipEntry {
  path: string;
  size: number;
  /** Epoch milliseconds. */
  changedAt: number;
  open: (() => Promise<AsyncIterable<Uint8Array>>) | null;
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const NEEDS_FOLDERS = 20;
const NEEDS_64 = 45;
/** Unix, so that external attributes are permissions. */
const MADE_BY = (3 << 8) | NEEDS_64;
const UTF_8 = 0x0800;
const DESCRIBED = 0x0008;
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;
const MSDOS_FOLDER = 0x10;
const EXTRA_64 = 0x0001;
const EXTRA_TIME = 0x5455;

const isLarge = (entry: ZipEntry): boolean => entry.size >= MAX_32;
const needs = (entry: ZipEntry, large: boolean): number => (large || isLarge(entry) ? NEEDS_64 : NEEDS_FOLDERS);
const flagsOf = (entry: ZipEntry): number => (entry.open ? UTF_8 | DESCRIBED : UTF_8);

class Writer {
  private readonly view: DataView;
  private readonly bytes: Buffer;
  private at = 0;
  constructor(length: number) {
    this.bytes = Buffer.alloc(length);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, length);
  }
  u8(value: number): this {
    this.view.setUint8(this.at, value);
    this.at += 1;
    return this;
  }
  u16(...values: number[]): this {
    for (const value of values) {
      this.view.setUint16(this.at, value, true);
      this.at += 2;
    }
    return this;
  }
  u32(...values: number[]): this {
    for (const value of values) {
      this.view.setUint32(this.at, value, true);
      this.at += 4;
    }
    return this;
  }
  u64(...values: number[]): this {
    for (const value of values) {
      this.view.setBigUint64(this.at, BigInt(value), true);
      this.at += 8;
    }
    return this;
  }
  raw(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
    return this;
  }
  done(): Buffer {
    return this.bytes;
  }
}

/** MS-DOS time in UTC, to two seconds, from 1980 on; the exact one is in an extra field. */
function dosTime(time: number): [time: number, date: number] {
  const at = new Date(Math.min(Math.max(time, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  return [
    (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  ];
}
const TIME_BYTES = 9;
const LARGE_LOCAL_BYTES = 20;
const seconds = (time: number): number => Math.min(Math.max(0, Math.floor(time / 1_000)), 0x7fffffff);
const writeTime = (writer: Writer, { changedAt }: ZipEntry): Writer => writer.u16(EXTRA_TIME, 5).u8(1).u32(seconds(changedAt));

const nameOf = ({ path }: ZipEntry): Buffer => Buffer.from(path);
const localBytes = (entry: ZipEntry): number => 30 + Buffer.byteLength(entry.path) + TIME_BYTES + (isLarge(entry) ? LARGE_LOCAL_BYTES : 0);
const descriptorBytes = (entry: ZipEntry): number => (entry.open === null ? 0 : isLarge(entry) ? 24 : 16);
const spanOf = (entry: ZipEntry): number => localBytes(entry) + entry.size + descriptorBytes(entry);
const largeFields = (entry: ZipEntry, offset: number): number[] => [...(isLarge(entry) ? [entry.size, entry.size] : []), ...(offset >= MAX_32 ? [offset] : [])];
const centralBytes = (entry: ZipEntry, offset: number): number => {
  const fields = largeFields(entry, offset).length;
  return 46 + Buffer.byteLength(entry.path) + TIME_BYTES + (fields > 0 ? 4 + 8 * fields : 0);
};

function localHeader(entry: ZipEntry): Buffer {
  const name = nameOf(entry);
  const large = isLarge(entry);
  const unknown = large ? MAX_32 : 0;
  const writer = new Writer(localBytes(entry))
    .u32(LOCAL)
    .u16(needs(entry, false), flagsOf(entry), 0, ...dosTime(entry.changedAt))
    .u32(0, unknown, unknown)
    .u16(name.length, TIME_BYTES + (large ? LARGE_LOCAL_BYTES : 0))
    .raw(name);
  writeTime(writer, entry);
  if (large) writer.u16(EXTRA_64, 16).u64(0, 0);
  return writer.done();
}

function descriptor(entry: ZipEntry, crc: number): Buffer {
  const writer = new Writer(descriptorBytes(entry)).u32(DESCRIPTOR, crc);
  return (isLarge(entry) ? writer.u64(entry.size, entry.size) : writer.u32(entry.size, entry.size)).done();
}

function centralHeader(entry: ZipEntry, crc: number, offset: number): Buffer {
  const name = nameOf(entry);
  const fields = largeFields(entry, offset);
  const size = isLarge(entry) ? MAX_32 : entry.size;
  const mode = entry.open ? (FILE_MODE << 16) >>> 0 : ((FOLDER_MODE << 16) | MSDOS_FOLDER) >>> 0;
  const writer = new Writer(centralBytes(entry, offset))
    .u32(CENTRAL)
    .u16(MADE_BY, needs(entry, fields.length > 0), flagsOf(entry), 0, ...dosTime(entry.changedAt))
    .u32(crc, size, size)
    .u16(name.length, TIME_BYTES + (fields.length > 0 ? 4 + 8 * fields.length : 0), 0, 0, 0)
    .u32(mode, Math.min(offset, MAX_32))
    .raw(name);
  writeTime(writer, entry);
  if (fields.length > 0) writer.u16(EXTRA_64, 8 * fields.length).u64(...fields);
  return writer.done();
}

const isLargeEnd = (count: number, size: number, start: number): boolean => count >= MAX_16 || size >= MAX_32 || start >= MAX_32;
function ending(count: number, size: number, start: number): Buffer {
  const large = isLargeEnd(count, size, start);
  const writer = new Writer(22 + (large ? 56 + 20 : 0));
  if (large)
    writer
      .u32(END_64)
      .u64(44)
      .u16(MADE_BY, NEEDS_64)
      .u32(0, 0)
      .u64(count, count, size, start)
      .u32(END_64_LOCATOR, 0)
      .u64(start + size)
      .u32(1);
  const few = Math.min(count, MAX_16);
  return writer.u32(END).u16(0, 0, few, few).u32(Math.min(size, MAX_32), Math.min(start, MAX_32)).u16(0).done();
}

/** The archive's exact length in bytes. */
export function zipLength(entries: readonly ZipEntry[]): number {
  let [start, size] = [0, 0];
  for (const entry of entries) {
    size += centralBytes(entry, start);
    start += spanOf(entry);
  }
  return start + size + ending(entries.length, size, start).length;
}

/** So many bytes of headers go out together: many small files are not many small packets. */
const TOGETHER = 64 * 1024;

/** The archive's bytes. Throws where a file turns out not to have its size. Left in the middle, it closes what it has open. */
export async function* zipBytes(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const sums = new Uint32Array(entries.length);
  let start = 0;
  for (const [index, entry] of entries.entries()) {
    yield localHeader(entry);
    if (entry.open) {
      let [crc, size] = [0, 0];
      for await (const chunk of await entry.open()) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        if (size > entry.size) break;
        yield chunk;
      }
      if (size !== entry.size) throw new Error(`A file for an archive has another size than ${entry.size} bytes`);
      sums[index] = crc;
      yield descriptor(entry, crc);
    }
    start += spanOf(entry);
  }
  let [offset, size] = [0, 0];
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for (const [index, entry] of entries.entries()) {
    const header = centralHeader(entry, sums[index] ?? 0, offset);
    offset += spanOf(entry);
    size += header.length;
    waiting.push(header);
    waitingBytes += header.length;
    if (waitingBytes < TOGETHER) continue;
    yield Buffer.concat(waiting);
    [waiting, waitingBytes] = [[], 0];
  }
  yield Buffer.concat([...waiting, ending(entries.length, size, start)]);
}
