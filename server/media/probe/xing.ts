/** Reads how many bytes the first frame of an MP3 declares, where LAME and others write an index in place of sound ("Xing" or "Info"). */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HEAD_BYTES = 4_096;
const ID3_HEADER_BYTES = 10;
/** Bytes from the start of the frame to the header: they depend on version, channels and checksum. */
const HEADER_OFFSETS = [36, 21, 13, 38, 23, 15];
const FLAGS = { frames: 1, bytes: 2 };

/** True if the file holds all bytes that its Xing header declares. It is whole then, even if the header's number of frames is wrong. `offset`: first byte of the MP3 or its tag. */
export function holdsDeclaredBytes(path: string, offset: number): boolean {
  const file = openSync(path, "r");
  try {
    const tag = Buffer.alloc(ID3_HEADER_BYTES);
    readSync(file, tag, 0, tag.length, offset);
    const start = offset + (tag.toString("latin1", 0, 3) === "ID3" ? ID3_HEADER_BYTES + readSyncsafe(tag, 6) : 0);
    const head = Buffer.alloc(HEAD_BYTES);
    const declared = findDeclaredBytes(head.subarray(0, readSync(file, head, 0, head.length, start)));
    return declared !== null && fstatSync(file).size >= start + declared.frameStart + declared.bytes;
  } finally {
    closeSync(file);
  }
}

/** The sizes in ID3 tags have 7 bits in each byte. */
const readSyncsafe = (bytes: Buffer, at: number): number => bytes.subarray(at, at + 4).reduce((size, byte) => size * 128 + (byte & 127), 0);

function findDeclaredBytes(head: Buffer): { frameStart: number; bytes: number } | null {
  const at = [head.indexOf("Xing"), head.indexOf("Info")].filter((index) => index >= 0).toSorted((a, b) => a - b)[0];
  if (at === undefined || at + 16 > head.length) return null;
  const flags = head.readUInt32BE(at + 4);
  const frameStart = HEADER_OFFSETS.map((offset) => at - offset).find((index) => index >= 0 && head[index] === 0xff && head[index + 1]! >= 0xe0);
  if ((flags & FLAGS.bytes) === 0 || frameStart === undefined) return null;
  return { frameStart, bytes: head.readUInt32BE(at + 8 + ((flags & FLAGS.frames) === 0 ? 0 : 4)) };
}
