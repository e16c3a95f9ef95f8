/** Tagged copies of files in memory, and what other programs read and decode of them. */
import { writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { decodeBlocks } from "../engine/audio-stream.ts";
import { openInput } from "../engine/open.ts";
import { createTestFolder } from "../testing/folder.ts";
import type { ByteSource, Piece, Tag } from "./types.ts";
import { planTaggedCopy } from "./write-tags.ts";

export const TAGS: Tag[] = [
  { name: "title", value: "Nachtfahrt é" },
  { name: "artist", value: "Lina & Co" },
  { name: "isrc", value: "GB-ABC-26-00002" },
  { name: "date", value: "2026-03-02" },
  { name: "comment", value: "warm" },
  { name: "Mix engineer", value: "Mia" },
];

export const sourceOf = (bytes: Buffer): ByteSource => ({ size: bytes.length, read: async (start, end) => bytes.subarray(start, end) });

/** Returns a source that notes the length of each read. */
export function countReads(bytes: Buffer): { source: ByteSource; reads: number[] } {
  const [inner, reads]: [ByteSource, number[]] = [sourceOf(bytes), []];
  const read = async (start: number, end: number): Promise<Buffer> => {
    const part = await inner.read(start, end);
    reads.push(part.length);
    return part;
  };
  return { source: { size: inner.size, read }, reads };
}

/** Sends the pieces of a copy; ranges are read in chunks of this many bytes. */
export async function join(bytes: Buffer, pieces: readonly Piece[], chunkBytes = 65_536): Promise<Buffer> {
  const sent: Buffer[] = [];
  async function* read(start: number, end: number) {
    for (let at = start; at < end; at += chunkBytes) yield bytes.subarray(at, Math.min(end, at + chunkBytes));
  }
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) sent.push(piece);
    else for await (const chunk of piece.rewrite?.(read(piece.start, piece.end)) ?? read(piece.start, piece.end)) sent.push(Buffer.from(chunk));
  }
  return Buffer.concat(sent);
}

/** Returns the copy; null if it is refused. */
export async function write(bytes: Buffer, mediaType: string, tags = TAGS, chunkBytes?: number): Promise<Buffer | null> {
  const pieces = await planTaggedCopy(sourceOf(bytes), mediaType, tags);
  return pieces && join(bytes, pieces, chunkBytes);
}

export async function written(bytes: Buffer, mediaType: string, tags = TAGS, chunkBytes?: number): Promise<Buffer> {
  const copy = await write(bytes, mediaType, tags, chunkBytes);
  if (!copy) throw new Error("Nothing was written");
  return copy;
}

/** Decodes all samples, and returns their number and checksum. */
export async function decode(bytes: Buffer): Promise<{ samples: number; checksum: string }> {
  using folder = createTestFolder();
  const path = folder.resolve("copy");
  writeFileSync(path, bytes);
  const input = openInput(path);
  const hash = createHash("sha256");
  let samples = 0;
  try {
    await decodeBlocks(input, ({ channels, length }) => {
      samples += length;
      for (const channel of channels) hash.update(new Uint8Array(channel.buffer, channel.byteOffset, length * 4));
    });
  } finally {
    input.close();
  }
  return { samples, checksum: hash.digest("hex") };
}
