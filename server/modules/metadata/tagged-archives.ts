/** Zips whose files have their metadata as tags. Files that cannot have it are in them as they are, and a text in the zip names them. */
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { conflict, HttpError } from "../../lib/errors.ts";
import type { Tag } from "../../media/tagging/types.ts";
import { type Archive, uniqueName } from "../files/archive.ts";
import type { ArchiveEntry } from "../files/archive-stream.ts";
import type { FilesDeps } from "../files/deps.ts";
import { loadProjectFields, loadValues } from "../files/metadata-fields.ts";
import type { FileServices } from "../files/services.ts";
import { planCopy, TAGGABLE_FORMATS, toTags } from "./tagged-copy.ts";
import { loadPeople } from "./values.ts";

const BATCH_SIZE = 500;
/** Texts of all tags of a zip, which are in memory while it is sent. */
const MAX_TAG_CHARACTERS = 8_000_000;
const LIST_NAME = "Files without metadata.txt";

type FileRow = Pick<Row<"files">, "id" | "kind" | "project_id"> & { media_type: string | null };

/** Returns what to write into each of these files, by id; files without such values are left out. */
async function loadTags(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, { tags: Tag[]; mediaType: string | null }>> {
  const found = new Map<number, { tags: Tag[]; mediaType: string | null }>();
  const projects = new Map<number, Promise<{ fields: Parameters<typeof toTags>[0]; people: ReadonlyMap<number, string> }>>();
  const loadProject = async (id: number) => ({
    fields: [...(await loadProjectFields(db, id)).values()].filter(({ tag }) => tag !== null),
    people: await loadPeople(db, actor, id, null),
  });
  let characters = 0;
  for (let offset = 0; offset < ids.length; offset += BATCH_SIZE) {
    const rows: FileRow[] = await db
      .selectFrom("files")
      .leftJoin("file_versions", "file_versions.id", "files.version_id")
      .select(["files.id", "files.kind", "files.project_id", "file_versions.media_type"])
      .where("files.id", "in", padIds(ids.slice(offset, offset + BATCH_SIZE)))
      .execute();
    for (const [projectId, files] of Map.groupBy(rows, ({ project_id }) => project_id)) {
      projects.set(projectId, projects.get(projectId) ?? loadProject(projectId));
      const { fields, people } = await projects.get(projectId)!;
      const values = await loadValues(db, files, fields);
      for (const { id, media_type } of files) {
        const tags = toTags(fields, values.get(id) ?? {}, people);
        characters += tags.reduce((sum, { value }) => sum + value.length, 0);
        if (tags.length > 0) found.set(id, { tags, mediaType: media_type });
      }
    }
    if (found.size > LIMITS.archive_tagged_files)
      throw new HttpError(400, `A zip with metadata can have at most ${formatCount(LIMITS.archive_tagged_files)} files with metadata. Select fewer files.`);
    if (characters > MAX_TAG_CHARACTERS) throw new HttpError(400, "The metadata of these files is too long together for one zip. Select fewer files.");
  }
  return found;
}

function createList(paths: readonly string[], entries: readonly ArchiveEntry[], now: number): ArchiveEntry {
  const text = `The metadata of these files is not in their tags, because it can only be written into ${TAGGABLE_FORMATS} files that are not damaged:\r\n\r\n`;
  const bytes = Buffer.from(`\uFEFF${text}${paths.map((path) => `${path}\r\n`).join("")}`);
  const usedNames = new Map<string, number>();
  for (const { path } of entries) if (!path.slice(0, -1).includes("/")) uniqueName(path.replace(/\/$/, ""), usedNames);
  return { path: uniqueName(LIST_NAME, usedNames), size: bytes.length, changedAt: now, content: async () => Readable.from([bytes]) };
}

export const createTaggedArchives = ({ database, storage, clock }: FilesDeps, { archives }: Pick<FileServices, "archives">) => ({
  /** `name`: the requested name of the zip. */
  async pack(actor: Actor, ids: readonly number[], name: string | null): Promise<Archive> {
    const archive = await archives.pack(actor, ids, name);
    const tagsById = await loadTags(
      database.backgroundRead,
      actor,
      archive.entries.flatMap(({ fileId }) => fileId ?? []),
    );
    if (tagsById.size === 0) throw conflict("None of these files has metadata to write. Give a field with a tag a value first.");
    const [entries, withoutTags]: [ArchiveEntry[], string[]] = [[], []];
    for (const entry of archive.entries) {
      const found = tagsById.get(entry.fileId ?? 0);
      if (!found || typeof entry.content !== "string") {
        entries.push(entry);
        continue;
      }
      const file = { key: entry.content, size: entry.size, mediaType: found.mediaType };
      // The plan may have covers in it, so only its length is kept; the bytes of a version never change, and with them neither does the plan.
      const copy = await planCopy(storage, file, found.tags);
      if (copy) entries.push({ ...entry, size: copy.length, content: async () => (await planCopy(storage, file, found.tags))!.open() });
      else {
        entries.push(entry);
        withoutTags.push(entry.path);
      }
      await setImmediate();
    }
    return { name: archive.name, entries: withoutTags.length === 0 ? entries : [...entries, createList(withoutTags, entries, clock.now())] };
  },
});
