/** Reads an archive by its central directory, as APPNOTE.TXT 6.3 describes it: written apart from what writes ours. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { crc32 } from "node:zlib";

export interface Unzipped {
  path: string;
  size: number;
  crc: number;
  isFolder: boolean;
  /** Reads it; throws where its checksum is another. */
  bytes(): Buffer;
}

/** Entries of the archive in this file; throws where it is none. */
export function unzip(file: string): { entries: Unzipped[]; close(): void } {
  const handle = openSync(file, "r");
  const length = statSync(file).size;
  const at = (position: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    if (position < 0 || readSync(handle, buffer, 0, bytes, position) !== bytes) throw new Error("The archive is too short");
    return buffer;
  };
  const end = at(length - 22, 22);
  if (end.readUInt32LE(0) !== 0x06054b50) throw new Error("No end of a central directory");
  let [count, size, start] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) {
    const locator = at(length - 42, 20);
    if (locator.readUInt32LE(0) !== 0x07064b50) throw new Error("No ZIP64 locator");
    const end64 = at(Number(locator.readBigUInt64LE(8)), 56);
    if (end64.readUInt32LE(0) !== 0x06064b50) throw new Error("No ZIP64 end");
    [count, size, start] = [end64.readBigUInt64LE(32), end64.readBigUInt64LE(40), end64.readBigUInt64LE(48)].map(Number) as [number, number, number];
  }
  const directory = at(start, size);
  const entries: Unzipped[] = [];
  let position = 0;
  for (; position < size;) {
    if (directory.readUInt32LE(position) !== 0x02014b50) throw new Error("No central header");
    const flags = directory.readUInt16LE(position + 8);
    if (directory.readUInt16LE(position + 10) !== 0) throw new Error("Compressed");
    const crc = directory.readUInt32LE(position + 16);
    let bytes = directory.readUInt32LE(position + 24);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => directory.readUInt16LE(position + offset)) as [number, number, number];
    let offset = directory.readUInt32LE(position + 42);
    const name = directory.subarray(position + 46, position + 46 + nameLength);
    if ((flags & 0x0800) === 0) throw new Error("A name that does not say it is UTF-8");
    const extra = directory.subarray(position + 46 + nameLength, position + 46 + nameLength + extraLength);
    for (let field = 0; field < extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
      if (extra.readUInt16LE(field) !== 1) continue;
      let large = field + 4;
      const next = () => Number(extra.readBigUInt64LE((large += 8) - 8));
      if (bytes === 0xffffffff) {
        bytes = next();
        next();
      }
      if (offset === 0xffffffff) offset = next();
    }
    const path = name.toString();
    entries.push({
      path,
      size: bytes,
      crc,
      isFolder: path.endsWith("/"),
      bytes() {
        const local = at(offset, 30);
        if (local.readUInt32LE(0) !== 0x04034b50) throw new Error(`No local header of ${path}`);
        const from = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
        if (!at(offset + 30, local.readUInt16LE(26)).equals(name)) throw new Error(`Another name before ${path}`);
        const content = at(from, bytes);
        if (crc32(content) !== crc) throw new Error(`Another checksum of ${path}`);
        return content;
      },
    });
    position += 46 + nameLength + extraLength + commentLength;
  }
  if (entries.length !== count) throw new Error(`${entries.length} entries instead of ${count}`);
  return { entries, close: () => closeSync(handle) };
}
