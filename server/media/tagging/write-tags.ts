/**
 * Plans a copy of an audio file with tags: which ranges of the original it has, and the new bytes between them. The audio data is always a range of the original,
 * so it stays as it is to the bit, and nothing is in memory but the tags.
 */
import { createChunk, keepChunk, readChunks } from "./chunks.ts";
import { tagFlac } from "./flac.ts";
import { buildId3, id3Length } from "./id3.ts";
import { tagMp4 } from "./mp4.ts";
import { tagOgg } from "./ogg.ts";
import { MAX_TAG_BYTES, totalLength, type ByteSource, type Piece, type Tag } from "./types.ts";
import { tagWav } from "./wav.ts";

async function tagMp3(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const length = id3Length(await source.read(0, 10));
  if (length > Math.min(MAX_TAG_BYTES, source.size)) return null;
  const tag = buildId3(await source.read(0, length), tags);
  return tag && [tag, { start: length, end: source.size }];
}

async function tagAiff(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const chunks = await readChunks(source, "big");
  if (!chunks) return null;
  const present = chunks.find(({ id }) => id === "ID3 " || id === "id3 ");
  if (present && present.bodyEnd - present.bodyStart > MAX_TAG_BYTES) return null;
  const tag = buildId3(present ? await source.read(present.bodyStart, present.bodyEnd) : Buffer.alloc(0), tags);
  if (!tag) return null;
  const body = [...chunks.filter((chunk) => chunk !== present).flatMap(keepChunk), createChunk("ID3 ", tag, "big")];
  const head = Buffer.from(await source.read(0, 12));
  if (totalLength(body) + 4 > 0xff_ff_ff_ff) return null;
  head.writeUInt32BE(totalLength(body) + 4, 4);
  return [head, ...body];
}

/** Returns the pieces of the copy; null if tags cannot be written into a file of this format, or into this one because it is damaged. */
export async function planTaggedCopy(source: ByteSource, mediaType: string, tags: readonly Tag[]): Promise<Piece[] | null> {
  const head = (await source.read(0, 12)).toString("latin1");
  if (/^(RIFF|RF64|BW64)....WAVE/s.test(head)) return tagWav(source, tags);
  if (/^FORM....AIF[FC]/s.test(head)) return tagAiff(source, tags);
  if (head.startsWith("fLaC")) return tagFlac(source, tags);
  if (head.startsWith("OggS")) return tagOgg(source, tags);
  if (head.slice(4, 8) === "ftyp") return tagMp4(source, tags);
  return mediaType === "audio/mpeg" ? tagMp3(source, tags) : null;
}
