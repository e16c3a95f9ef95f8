/** Writes rows of files and folders, including the columns derived from the name and from the current version, by which files are filtered and sorted. */
import { sql } from "kysely";
import { fileNameKey, foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { jsonTexts, lockRows, padIds } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { parseTagLabels } from "../../db/tag-labels.ts";
import { refreshFolderDates } from "./folder-dates.ts";
import { undeletedTree } from "./tree.ts";

export const nameColumns = (name: string, isFolder: boolean) => ({
  name,
  name_key: fileNameKey(name),
  folded_name: foldName(name),
  order_key: nameOrderKey(name, isFolder),
});

type ParentFolder = Pick<Row<"files">, "id" | "project_id">;
export type ProtectionFlags = Partial<Pick<Row<"files">, "removal_protection" | "task_load_protection">>;

const commonColumns = (parent: ParentFolder, actor: Actor, now: number) => ({
  project_id: parent.project_id,
  parent_id: parent.id,
  created_by: actor.accountId,
  uploader_id: actor.accountId,
  created_at: now,
  changed_at: now,
});

/** Requires a valid and free name, and that the caller has locked the project's topic. */
export async function insertFolder(
  tx: Tx,
  engine: Engine,
  parent: ParentFolder,
  name: string,
  actor: Actor,
  now: number,
  flags: ProtectionFlags = {},
): Promise<Row<"files">> {
  const folder = await tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 1, kind: "folder", ...nameColumns(name, true), ...flags })
    .returningAll()
    .executeTakeFirstOrThrow();
  await indexRecords(tx, engine, "file", [folder.id]);
  await refreshFolderDates(tx, engine, [parent.id]);
  return folder;
}

/** Returns the team's default status for a new upload, and locks it in share mode until the commit, so that nobody deletes it meanwhile. */
async function loadDefaultStatus(tx: Tx, engine: Engine, projectId: number): Promise<Partial<Pick<Row<"files">, "status_id" | "status_rank">>> {
  const defaultStatusId = tx
    .selectFrom("projects")
    .innerJoin("teams", "teams.id", "projects.team_id")
    .where("projects.id", "=", projectId)
    .select("teams.default_status_id");
  const find = () =>
    lockRows(
      tx.selectFrom("file_statuses").select(["id", "position"]).where("id", "=", defaultStatusId).where("deleted_at", "is", null),
      engine,
      "share",
    ).executeTakeFirst();
  // The status may be deleted while this query waits for the lock; the second query then finds the team's new default.
  const status = (await find()) ?? (await find());
  return status ? { status_id: status.id, status_rank: status.position } : {};
}

/** Inserts the file without a version. */
export async function insertFile(tx: Tx, engine: Engine, parent: ParentFolder, name: string, actor: Actor, now: number): Promise<Row<"files">> {
  const status = await loadDefaultStatus(tx, engine, parent.project_id);
  const file = await tx
    .insertInto("files")
    .values({ ...commonColumns(parent, actor, now), is_folder: 0, ...nameColumns(name, false), ...status })
    .returningAll()
    .executeTakeFirstOrThrow();
  await refreshFolderDates(tx, engine, [parent.id]);
  return file;
}

/** Copies facts of the version into its file's row, and into the search index; does nothing if it is not the current version. */
export async function syncFileFacts(tx: Tx, engine: Engine, versionId: number): Promise<void> {
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
    .select([
      "files.id",
      "files.project_id",
      "files.parent_id",
      "files.changed_at",
      "files.tags as known",
      "files.deleted_at",
      "files.corrected_bpm",
      "files.corrected_key",
    ])
    .where("file_versions.id", "=", versionId)
    .executeTakeFirst();
  if (!version) return;
  const { bpm, key, unsureKey, tags } = parseTagLabels(version.tags);
  const tagsJson = JSON.stringify(tags);
  await tx
    .updateTable("files")
    .set({
      kind: version.kind,
      size: version.size,
      duration: version.duration ?? 0,
      bpm: version.corrected_bpm ?? bpm,
      music_key: version.corrected_key ?? key,
      unsure_key: version.corrected_key === null ? unsureKey : null,
      tags: tagsJson,
      changed_at: version.created_at,
      uploader_id: version.created_by,
    })
    .where("id", "=", version.id)
    .execute();
  if (version.changed_at !== version.created_at && version.deleted_at === null) await refreshFolderDates(tx, engine, [version.parent_id]);
  await indexRecords(tx, engine, "file", [version.id]);
  if (tagsJson === version.known || version.deleted_at !== null) return;
  await tx.deleteFrom("file_tags").where("file_id", "=", version.id).execute();
  if (tags.length > 0)
    await tx
      .insertInto("file_tags")
      .values(tags.map((tag) => ({ project_id: version.project_id, tag, file_id: version.id })))
      .execute();
}

/** Removes the tags of the files with these `deleted_with` ids; `file_tags` contains only tags of files that are not deleted, so that counting needs no join. */
export async function deleteTags(tx: Tx, deletionIds: readonly number[]): Promise<void> {
  await sql`delete from file_tags where file_id in (select files.id from files where files.deleted_with in (${sql.join(padIds(deletionIds))}))`.execute(tx);
}

/** Inserts the tags of these restored entries and everything below them. */
export async function restoreTags(tx: Tx, engine: Engine, ids: readonly number[]): Promise<void> {
  await sql`${undeletedTree(ids)} insert into file_tags (project_id, tag, file_id)
    select files.project_id, one.value, files.id from tree cross join files cross join ${jsonTexts(engine, "files.tags")}
    where files.id = tree.id and files.tags <> '[]' on conflict do nothing`.execute(tx);
}
