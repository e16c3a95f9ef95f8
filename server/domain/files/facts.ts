/** What files are filtered and sorted by stands in their rows: repeated from the current version whenever that changes. */
import { sql } from "kysely";
import { evenly, textsOf } from "../../db/portable.ts";
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { labelsIn } from "../../db/tag-labels.ts";
import { liveTree } from "./tree.ts";

/** Where the version is not (or no more) its file's current one, nothing changes. */
export async function repeatFacts(tx: Tx, versionId: number): Promise<void> {
  const found = await tx
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
  if (!found) return;
  const { bpm, key, tags } = labelsIn(found.tags);
  const written = JSON.stringify(tags);
  await tx
    .updateTable("files")
    .set({
      kind: found.kind,
      size: found.size,
      duration: found.duration ?? 0,
      bpm: found.corrected_bpm ?? bpm,
      music_key: found.corrected_key ?? key,
      tags: written,
      changed_at: found.created_at,
      uploader_id: found.created_by,
    })
    .where("id", "=", found.id)
    .execute();
  if (written === found.known || found.deleted_at !== null) return;
  await tx.deleteFrom("file_tags").where("file_id", "=", found.id).execute();
  if (tags.length > 0)
    await tx
      .insertInto("file_tags")
      .values(tags.map((tag) => ({ project_id: found.project_id, tag, file_id: found.id })))
      .execute();
}

/** `file_tags` has the tags of files that are there, so that counting them asks nothing else: those of these acts of deletion go. */
export async function dropTags(tx: Tx, acts: readonly number[]): Promise<void> {
  await sql`delete from file_tags where file_id in (select files.id from files where files.deleted_with in (${sql.join(evenly(acts))}))`.execute(tx);
}

/** Of these entries, and all below them, that are there again. */
export async function repeatTags(tx: Tx, engine: Engine, ids: readonly number[]): Promise<void> {
  await sql`${liveTree(ids)} insert into file_tags (project_id, tag, file_id)
    select files.project_id, one.value, files.id from tree cross join files cross join ${textsOf(engine, "files.tags")}
    where files.id = tree.id and files.tags <> '[]' on conflict do nothing`.execute(tx);
}
