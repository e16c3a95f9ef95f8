/**
 * Streams a zip archive: stored entries, UTF-8 names, ZIP64 where sizes or counts require it (APPNOTE.TXT 6.3).
 * The archive's length is known in advance because sizes are; checksums are not, so they follow each file (data descriptors).
 */
import { crc32 } from "node:zlib";

/** `path`: safe, separated by "/", with a trailing "/" for a folder. `open` is called when the entry is written; null for a folder. */
export interface ZipEntry {
  path: string;
  size: number;
  /** Epoch milliseconds. */
  changedAt: number;
  open: (() => Promise<AsyncIterable<Uint8Array>>) | null;
}

const MAX_UINT16 = 0xffff;
const MAX_UINT32 = 0xffffffff;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const CENTRAL_HEADER_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const VERSION_FOLDERS = 20;
const VERSION_ZIP64 = 45;
/** Host system Unix, so that external attributes are permissions. */
const VERSION_MADE_BY = (3 << 8) | VERSION_ZIP64;
const FLAG_UTF8 = 0x0800;
const FLAG_DESCRIPTOR = 0x0008;
const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;
const MSDOS_FOLDER = 0x10;
const EXTRA_ZIP64 = 0x0001;
const EXTRA_TIME = 0x5455;

const needsZip64 = (entry: ZipEntry): boolean => entry.size >= MAX_UINT32;
const versionNeeded = (entry: ZipEntry, isZip64: boolean): number => (isZip64 || needsZip64(entry) ? VERSION_ZIP64 : VERSION_FOLDERS);
const flagsOf = (entry: ZipEntry): number => (entry.open ? FLAG_UTF8 | FLAG_DESCRIPTOR : FLAG_UTF8);

class Writer {
  private readonly view: DataView;
  private readonly bytes: Buffer;
  private position = 0;
  constructor(length: number) {
    this.bytes = Buffer.alloc(length);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, length);
  }
  u8(value: number): this {
    this.view.setUint8(this.position, value);
    this.position += 1;
    return this;
  }
  u16(...values: number[]): this {
    for (const value of values) {
      this.view.setUint16(this.position, value, true);
      this.position += 2;
    }
    return this;
  }
  u32(...values: number[]): this {
    for (const value of values) {
      this.view.setUint32(this.position, value, true);
      this.position += 4;
    }
    return this;
  }
  u64(...values: number[]): this {
    for (const value of values) {
      this.view.setBigUint64(this.position, BigInt(value), true);
      this.position += 8;
    }
    return this;
  }
  raw(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.position);
    this.position += bytes.length;
    return this;
  }
  done(): Buffer {
    return this.bytes;
  }
}

/** MS-DOS time in UTC, from 1980 on, with two-second precision; the exact time is in an extra field. */
function dosTime(time: number): [time: number, date: number] {
  const date = new Date(Math.min(Math.max(time, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)));
  return [
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  ];
}
const TIME_BYTES = 9;
const ZIP64_LOCAL_BYTES = 20;
const unixSeconds = (time: number): number => Math.min(Math.max(0, Math.floor(time / 1_000)), 0x7fffffff);
const writeTime = (writer: Writer, { changedAt }: ZipEntry): Writer => writer.u16(EXTRA_TIME, 5).u8(1).u32(unixSeconds(changedAt));

const encodeName = ({ path }: ZipEntry): Buffer => Buffer.from(path);
const localBytes = (entry: ZipEntry): number => 30 + Buffer.byteLength(entry.path) + TIME_BYTES + (needsZip64(entry) ? ZIP64_LOCAL_BYTES : 0);
const descriptorBytes = (entry: ZipEntry): number => (entry.open === null ? 0 : needsZip64(entry) ? 24 : 16);
const entryBytes = (entry: ZipEntry): number => localBytes(entry) + entry.size + descriptorBytes(entry);
const zip64Fields = (entry: ZipEntry, offset: number): number[] => [
  ...(needsZip64(entry) ? [entry.size, entry.size] : []),
  ...(offset >= MAX_UINT32 ? [offset] : []),
];
const centralBytes = (entry: ZipEntry, offset: number): number => {
  const fields = zip64Fields(entry, offset).length;
  return 46 + Buffer.byteLength(entry.path) + TIME_BYTES + (fields > 0 ? 4 + 8 * fields : 0);
};

function localHeader(entry: ZipEntry): Buffer {
  const name = encodeName(entry);
  const isZip64 = needsZip64(entry);
  const sizePlaceholder = isZip64 ? MAX_UINT32 : 0;
  const writer = new Writer(localBytes(entry))
    .u32(LOCAL_HEADER_SIGNATURE)
    .u16(versionNeeded(entry, false), flagsOf(entry), 0, ...dosTime(entry.changedAt))
    .u32(0, sizePlaceholder, sizePlaceholder)
    .u16(name.length, TIME_BYTES + (isZip64 ? ZIP64_LOCAL_BYTES : 0))
    .raw(name);
  writeTime(writer, entry);
  if (isZip64) writer.u16(EXTRA_ZIP64, 16).u64(0, 0);
  return writer.done();
}

function descriptor(entry: ZipEntry, crc: number): Buffer {
  const writer = new Writer(descriptorBytes(entry)).u32(DESCRIPTOR_SIGNATURE, crc);
  return (needsZip64(entry) ? writer.u64(entry.size, entry.size) : writer.u32(entry.size, entry.size)).done();
}

function centralHeader(entry: ZipEntry, crc: number, offset: number): Buffer {
  const name = encodeName(entry);
  const fields = zip64Fields(entry, offset);
  const size = needsZip64(entry) ? MAX_UINT32 : entry.size;
  const mode = entry.open ? (FILE_MODE << 16) >>> 0 : ((FOLDER_MODE << 16) | MSDOS_FOLDER) >>> 0;
  const writer = new Writer(centralBytes(entry, offset))
    .u32(CENTRAL_HEADER_SIGNATURE)
    .u16(VERSION_MADE_BY, versionNeeded(entry, fields.length > 0), flagsOf(entry), 0, ...dosTime(entry.changedAt))
    .u32(crc, size, size)
    .u16(name.length, TIME_BYTES + (fields.length > 0 ? 4 + 8 * fields.length : 0), 0, 0, 0)
    .u32(mode, Math.min(offset, MAX_UINT32))
    .raw(name);
  writeTime(writer, entry);
  if (fields.length > 0) writer.u16(EXTRA_ZIP64, 8 * fields.length).u64(...fields);
  return writer.done();
}

const endNeedsZip64 = (count: number, size: number, start: number): boolean => count >= MAX_UINT16 || size >= MAX_UINT32 || start >= MAX_UINT32;
function endRecord(count: number, size: number, start: number): Buffer {
  const isZip64 = endNeedsZip64(count, size, start);
  const writer = new Writer(22 + (isZip64 ? 56 + 20 : 0));
  if (isZip64)
    writer
      .u32(ZIP64_END_SIGNATURE)
      .u64(44)
      .u16(VERSION_MADE_BY, VERSION_ZIP64)
      .u32(0, 0)
      .u64(count, count, size, start)
      .u32(ZIP64_LOCATOR_SIGNATURE, 0)
      .u64(start + size)
      .u32(1);
  const entryCount = Math.min(count, MAX_UINT16);
  return writer.u32(END_SIGNATURE).u16(0, 0, entryCount, entryCount).u32(Math.min(size, MAX_UINT32), Math.min(start, MAX_UINT32)).u16(0).done();
}

/** Returns the archive's exact length in bytes. */
export function zipLength(entries: readonly ZipEntry[]): number {
  let [start, size] = [0, 0];
  for (const entry of entries) {
    size += centralBytes(entry, start);
    start += entryBytes(entry);
  }
  return start + size + endRecord(entries.length, size, start).length;
}

/** Headers are flushed in batches of this many bytes, so that many small files do not become many small packets. */
const FLUSH_BYTES = 64 * 1024;

/** Yields the archive's bytes. Throws if a file does not have its declared size. Ending the iteration early closes the open file. */
export async function* zipBytes(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const checksums = new Uint32Array(entries.length);
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
      checksums[index] = crc;
      yield descriptor(entry, crc);
    }
    start += entryBytes(entry);
  }
  let [offset, size] = [0, 0];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for (const [index, entry] of entries.entries()) {
    const header = centralHeader(entry, checksums[index] ?? 0, offset);
    offset += entryBytes(entry);
    size += header.length;
    pending.push(header);
    pendingBytes += header.length;
    if (pendingBytes < FLUSH_BYTES) continue;
    yield Buffer.concat(pending);
    [pending, pendingBytes] = [[], 0];
  }
  yield Buffer.concat([...pending, endRecord(entries.length, size, start)]);
}
