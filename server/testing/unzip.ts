/** Reads a zip archive by its central directory (APPNOTE.TXT 6.3), independently of the code that writes archives. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";

export interface ZipEntry {
  path: string;
  size: number;
  crc: number;
  /** Epoch milliseconds from the extended timestamp. */
  changedAt: number;
  isFolder: boolean;
  /** Reads the content; throws if the checksum does not match. */
  read(): Buffer;
}

/** Opens the archive in this file; throws if it is not a valid one. */
export function openZip(file: string): { entries: ZipEntry[]; close(): void } {
  const fd = openSync(file, "r");
  const length = statSync(file).size;
  const readAt = (position: number, byteCount: number): Buffer => {
    const buffer = Buffer.alloc(byteCount);
    if (position < 0 || readSync(fd, buffer, 0, byteCount, position) !== byteCount) throw new Error("The archive is too short");
    return buffer;
  };
  const endRecord = readAt(length - 22, 22);
  if (endRecord.readUInt32LE(0) !== 0x06054b50) throw new Error("No end of a central directory");
  let [count, size, start] = [endRecord.readUInt16LE(10), endRecord.readUInt32LE(12), endRecord.readUInt32LE(16)];
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) {
    const locator = readAt(length - 42, 20);
    if (locator.readUInt32LE(0) !== 0x07064b50) throw new Error("No ZIP64 locator");
    const end64 = readAt(Number(locator.readBigUInt64LE(8)), 56);
    if (end64.readUInt32LE(0) !== 0x06064b50) throw new Error("No ZIP64 end");
    [count, size, start] = [end64.readBigUInt64LE(32), end64.readBigUInt64LE(40), end64.readBigUInt64LE(48)].map(Number) as [number, number, number];
  }
  const directory = readAt(start, size);
  const entries: ZipEntry[] = [];
  let position = 0;
  for (; position < size;) {
    if (directory.readUInt32LE(position) !== 0x02014b50) throw new Error("No central header");
    const flags = directory.readUInt16LE(position + 8);
    if (directory.readUInt16LE(position + 10) !== 0) throw new Error("Compressed");
    const crc = directory.readUInt32LE(position + 16);
    let contentLength = directory.readUInt32LE(position + 24);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(position + offset)) as [number, number, number];
    let offset = directory.readUInt32LE(position + 42);
    const name = directory.subarray(position + 46, position + 46 + nameLength);
    if ((flags & 0x0800) === 0) throw new Error("A file name is not marked as UTF-8");
    const extra = directory.subarray(position + 46 + nameLength, position + 46 + nameLength + extraLength);
    let changedAt = Number.NaN;
    for (let field = 0; field < extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
      if (extra.readUInt16LE(field) === 0x5455) changedAt = extra.readInt32LE(field + 5) * 1_000;
      if (extra.readUInt16LE(field) !== 1) continue;
      let zip64Offset = field + 4;
      const readNext = () => Number(extra.readBigUInt64LE((zip64Offset += 8) - 8));
      if (contentLength === 0xffffffff) {
        contentLength = readNext();
        readNext();
      }
      if (offset === 0xffffffff) offset = readNext();
    }
    const path = name.toString();
    entries.push({
      path,
      size: contentLength,
      crc,
      changedAt,
      isFolder: path.endsWith("/"),
      read() {
        const localHeader = readAt(offset, 30);
        if (localHeader.readUInt32LE(0) !== 0x04034b50) throw new Error(`No local header of ${path}`);
        const contentOffset = offset + 30 + localHeader.readUInt16LE(26) + localHeader.readUInt16LE(28);
        if (!readAt(offset + 30, localHeader.readUInt16LE(26)).equals(name)) throw new Error(`Another name before ${path}`);
        const content = readAt(contentOffset, contentLength);
        if (crc32(content) !== crc) throw new Error(`Another checksum of ${path}`);
        return content;
      },
    });
    position += 46 + nameLength + extraLength + commentLength;
  }
  if (entries.length !== count) throw new Error(`${entries.length} entries instead of ${count}`);
  return { entries, close: () => closeSync(fd) };
}
