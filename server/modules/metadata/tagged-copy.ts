/** Copies of stored files whose tags have the file's metadata. They are made while they are sent, and the stored file is never changed. */
import { Readable } from "node:stream";
import { STANDARD_TAGS, type MetadataValues } from "../../../contract/metadata-records.ts";
import { type ByteSource, type Piece, type Tag, totalLength } from "../../media/tagging/types.ts";
import { planTaggedCopy } from "../../media/tagging/write-tags.ts";
import type { Storage } from "../../storage/storage.ts";
import type { TeamField } from "../files/metadata-fields.ts";
import { valueText } from "./cell-text.ts";

/** A stored file, with the media type that was found by its content. */
export interface StoredFile {
  key: string;
  size: number;
  mediaType: string | null;
}

export const TAGGABLE_FORMATS = "WAV, AIFF, MP3, FLAC, Ogg Vorbis, Opus and M4A";
const STANDARD: ReadonlySet<string> = new Set<string>(STANDARD_TAGS);

/** Returns what the fields with a tag write; of two fields with one tag, the first that has a value. `people`: names by account id. */
export function toTags(fields: readonly TeamField[], values: MetadataValues, people: ReadonlyMap<number, string>): Tag[] {
  const tags = new Map<string, Tag>();
  for (const field of fields) {
    const [value, key] = [values[field.id], field.tag?.toLowerCase()];
    if (value !== undefined && field.tag !== null && key !== undefined && !tags.has(key))
      tags.set(key, { name: STANDARD.has(key) ? key : field.tag, value: valueText(field, value, people) });
  }
  return [...tags.values()];
}

const byteSource = (storage: Storage, { key, size }: StoredFile): ByteSource => ({
  size,
  async read(start, end) {
    const last = Math.min(end, size) - 1;
    return last < start ? Buffer.alloc(0) : Buffer.concat((await (await storage.open(key, { start, end: last })).toArray()) as Buffer[]);
  },
});

async function* bytesOf(storage: Storage, key: string, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else if (piece.end > piece.start) {
      const bytes = (await storage.open(key, { start: piece.start, end: piece.end - 1 })) as AsyncIterable<Buffer>;
      yield* piece.rewrite?.(bytes) ?? bytes;
    }
  }
}

/** Returns the length of the copy, and what opens its bytes; null if tags cannot be written into this file. */
export async function planCopy(storage: Storage, file: StoredFile, tags: readonly Tag[]): Promise<{ length: number; open(): Readable } | null> {
  const pieces = await planTaggedCopy(byteSource(storage, file), file.mediaType ?? "", tags);
  return pieces && { length: totalLength(pieces), open: () => Readable.from(bytesOf(storage, file.key, pieces), { objectMode: false }) };
}
