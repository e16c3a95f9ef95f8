/** Keeps the columns that files are filtered and sorted by in sync with the current version. */
import { sql } from "kysely";
import { padIds, jsonTexts } from "../../db/portable.ts";
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { parseTagLabels } from "../../db/tag-labels.ts";
import { liveTree } from "./tree.ts";

/** Does nothing if the version is not its file's current one. */
export async function syncFileFacts(tx: Tx, versionId: number): Promise<void> {
  const version = await tx
    .selectFrom("file_versions")
    .innerJoin("files", "files.version_id", "file_versions.id")
    .select([
      "file_versions.kind",
      "file_versions.size",
      "file_versions.duration",
      "file_versions.tags",
      "file_versions.created_at",
      "file_versions.created_by",
    ])
    .select(["files.id", "files.project_id", "files.tags as known", "files.deleted_at", "files.corrected_bpm", "files.corrected_key"])
    .where("file_versions.id", "=", versionId)
    .executeTakeFirst();
  if (!version) return;
  const { bpm, key, tags } = parseTagLabels(version.tags);
  const tagsJson = JSON.stringify(tags);
  await tx
    .updateTable("files")
    .set({
      kind: version.kind,
      size: version.size,
      duration: version.duration ?? 0,
      bpm: version.corrected_bpm ?? bpm,
      music_key: version.corrected_key ?? key,
      tags: tagsJson,
      changed_at: version.created_at,
      uploader_id: version.created_by,
    })
    .where("id", "=", version.id)
    .execute();
  if (tagsJson === version.known || version.deleted_at !== null) return;
  await tx.deleteFrom("file_tags").where("file_id", "=", version.id).execute();
  if (tags.length > 0)
    await tx
      .insertInto("file_tags")
      .values(tags.map((tag) => ({ project_id: version.project_id, tag, file_id: version.id })))
      .execute();
}

/** Removes the tags of files removed by these deletions; `file_tags` holds only tags of live files, so that counting needs no join. */
export async function deleteTags(tx: Tx, deletionIds: readonly number[]): Promise<void> {
  await sql`delete from file_tags where file_id in (select files.id from files where files.deleted_with in (${sql.join(padIds(deletionIds))}))`.execute(tx);
}

/** Inserts the tags of these restored entries and everything below them. */
export async function restoreTags(tx: Tx, engine: Engine, ids: readonly number[]): Promise<void> {
  await sql`${liveTree(ids)} insert into file_tags (project_id, tag, file_id)
    select files.project_id, one.value, files.id from tree cross join files cross join ${jsonTexts(engine, "files.tags")}
    where files.id = tree.id and files.tags <> '[]' on conflict do nothing`.execute(tx);
}
