/** Copies of audio files whose tags have the file's metadata. They are made while they are sent, and the stored original is never changed. */
import { Readable } from "node:stream";
import { STANDARD_TAGS } from "../../../contract/metadata-records.ts";
import type { Actor } from "../../access/access.ts";
import type { FilesDeps } from "../files/deps.ts";
import { loadProjectFields, loadValues } from "../files/metadata-fields.ts";
import { loadAuthorizedFile, loadVersion } from "../files/repository.ts";
import { conflict, HttpError, notFound } from "../../lib/errors.ts";
import { type ByteSource, type Piece, type Tag, totalLength } from "../../media/tagging/types.ts";
import { planTaggedCopy } from "../../media/tagging/write-tags.ts";
import type { Storage } from "../../storage/storage.ts";
import { valueText } from "./cell-text.ts";
import { loadPeople } from "./values.ts";

export interface TaggedCopy {
  name: string;
  mediaType: string;
  length: number;
  open(): Readable;
}

const byteSource = (storage: Storage, key: string, size: number): ByteSource => ({
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

export const createTaggedDownloads = ({ database, storage }: Pick<FilesDeps, "database" | "storage">) => ({
  async open(actor: Actor, fileId: number, number: number | null): Promise<TaggedCopy> {
    const { read } = database;
    const file = await loadAuthorizedFile(read, actor, "file.read", fileId);
    const version = await loadVersion(read, file, number);
    const fields = [...(await loadProjectFields(read, file.project_id)).values()].filter(({ tag }) => tag !== null);
    const values = (await loadValues(read, [file], fields)).get(file.id) ?? {};
    const people = await loadPeople(read, actor, file.project_id, null);
    const tags = new Map<string, Tag>();
    for (const field of fields) {
      const value = values[field.id];
      // Of two fields with one tag, the first that has a value wins.
      if (value !== undefined && field.tag !== null && !tags.has(field.tag.toLowerCase()))
        tags.set(field.tag.toLowerCase(), { name: isStandard(field.tag) ? field.tag.toLowerCase() : field.tag, value: valueText(field, value, people) });
    }
    if (tags.size === 0) throw conflict("This file has no metadata to write. Give a field with a tag a value first.");
    const size = await storage.size(version.blob_key);
    if (size === null) throw notFound("file");
    const pieces = await planTaggedCopy(byteSource(storage, version.blob_key, size), version.media_type ?? "", [...tags.values()]);
    if (!pieces)
      throw new HttpError(
        415,
        "Metadata can be written into WAV, AIFF, MP3, FLAC, Ogg Vorbis, Opus and M4A files that are not damaged. Download this file without it.",
      );
    return {
      name: file.name,
      mediaType: version.media_type ?? "application/octet-stream",
      length: totalLength(pieces),
      open: () => Readable.from(bytesOf(storage, version.blob_key, pieces)),
    };
  },
});

const isStandard = (tag: string): boolean => STANDARD.has(tag.toLowerCase());
const STANDARD: ReadonlySet<string> = new Set<string>(STANDARD_TAGS);
