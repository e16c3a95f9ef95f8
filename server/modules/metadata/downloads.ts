/** The download of one file with its metadata. */
import type { Readable } from "node:stream";
import type { Actor } from "../../access/access.ts";
import type { FilesDeps } from "../files/deps.ts";
import { loadProjectFields, loadValues } from "../files/metadata-fields.ts";
import { loadAuthorizedFile, loadVersion } from "../files/repository.ts";
import { conflict, HttpError, notFound } from "../../lib/errors.ts";
import { planCopy, TAGGABLE_FORMATS, toTags } from "./tagged-copy.ts";
import { loadPeople } from "./values.ts";

export interface TaggedCopy {
  name: string;
  mediaType: string;
  length: number;
  open(): Readable;
}

export const createTaggedDownloads = ({ database, storage }: Pick<FilesDeps, "database" | "storage">) => ({
  async open(actor: Actor, fileId: number, number: number | null): Promise<TaggedCopy> {
    const { read } = database;
    const file = await loadAuthorizedFile(read, actor, "file.read", fileId);
    const version = await loadVersion(read, file, number);
    const fields = [...(await loadProjectFields(read, file.project_id)).values()].filter(({ tag }) => tag !== null);
    const values = (await loadValues(read, [file], fields)).get(file.id) ?? {};
    const tags = toTags(fields, values, await loadPeople(read, actor, file.project_id, null));
    if (tags.length === 0) throw conflict("This file has no metadata to write. Give a field with a tag a value first.");
    const size = await storage.size(version.blob_key);
    if (size === null) throw notFound("file");
    const copy = await planCopy(storage, { key: version.blob_key, size, mediaType: version.media_type }, tags);
    if (!copy)
      throw new HttpError(
        415,
        `Metadata can be written into ${TAGGABLE_FORMATS} files. This file has another format or tags of another kind, or is damaged. Download it without metadata.`,
      );
    return { name: file.name, mediaType: version.media_type ?? "application/octet-stream", ...copy };
  },
});
