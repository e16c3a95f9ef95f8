/** SQL for files: a view is a file with its current version, status and team, limited to projects visible to the actor. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { isAllowed, type RuleFor } from "../../../contract/policy.ts";
import { type Actor, assertCan, lookupKey, visibleFiles } from "../../access/access.ts";
import { MAX_INT4, padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { untilNextCommit } from "../../db/until-commit.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { type FilesViewEntry, type FileView, VERSION_COLUMNS, type VersionSummary } from "./presenter.ts";

/** Both engines limit the parameters of one statement. */
const MAX_IDS_PER_QUERY = 1_000;

export interface FileFacts {
  isOwn: boolean;
  isRoot: boolean;
  isProtected: boolean;
  isFinal: boolean;
}
/** The rules of actions on files; new versions are checked by `assertCanAddVersion`. */
export type FileRule = Exclude<RuleFor<FileFacts>, "file.add_version">;

/** Throws a 403 unless the rule allows the action on this file or folder, as far as its row tells: `assertCanForTree` looks above and below it. */
export function assertCanForFile(actor: Actor, rule: FileRule, { created_by, parent_id }: Row<"files">, roleReason: string): void {
  const facts: FileFacts = { isOwn: created_by === actor.accountId, isRoot: parent_id === null, isProtected: false, isFinal: false };
  const isDeniedForRoot = facts.isRoot && isAllowed(rule, actor.role, { ...facts, isRoot: false });
  assertCan(actor, rule, facts, isDeniedForRoot ? "A project's root folder cannot be renamed, moved or deleted." : roleReason);
}

/** Returns the file or folder; throws a 404 unless the actor sees it, and a 403 unless the rule allows it. */
export async function loadAuthorizedFile(db: Db, actor: Actor, rule: FileRule, id: number): Promise<Row<"files">> {
  const file = await untilNextCommit(db, `file ${id} for ${lookupKey(actor)}`, () =>
    visibleFiles(db, actor).selectAll("files").where("files.id", "=", id).executeTakeFirst(),
  );
  if (!file) throw notFound("file");
  assertCanForFile(actor, rule, file, "Your role does not allow this for this file.");
  return file;
}

/** Returns the file and makes this transaction its project's only writer, so that rows read from here on stay valid until the commit. */
export async function lockFile(tx: Tx, events: EventLog, actor: Actor, rule: FileRule, id: number): Promise<Row<"files">> {
  const { project_id } = await loadAuthorizedFile(tx, actor, rule, id);
  await events.lock(tx, topicOf.project(project_id));
  const file = await loadAuthorizedFile(tx, actor, rule, id);
  rememberFormerRows(tx, "file", [file]);
  return file;
}

/** Returns the file's version with this number (null: the current one), or throws a 404. */
export async function loadVersion(db: Db, file: Row<"files">, number: number | null): Promise<VersionSummary & { peaks: string | null }> {
  if (number !== null && number > MAX_INT4) throw notFound("version of this file");
  const query = db
    .selectFrom("file_versions")
    .select([...VERSION_COLUMNS, "peaks"])
    .where("file_id", "=", file.id);
  const version = await (number === null ? query.where("id", "=", file.version_id ?? 0) : query.where("number", "=", number)).executeTakeFirst();
  if (!version) throw notFound("version of this file");
  return version;
}

/** Returns the folder for writing into it, locked so that nobody deletes it meanwhile. */
export async function lockFolder(tx: Tx, events: EventLog, actor: Actor, rule: FileRule, id: number, path: string): Promise<Row<"files">> {
  const folder = await lockFile(tx, events, actor, rule, id);
  if (folder.is_folder === 0) throw invalid(path, "must be a folder");
  return folder;
}

/** Loads the views of the rows in at most three queries, for any number of rows. */
export async function loadFileViews(db: Db, files: Row<"files">[]): Promise<FileView[]> {
  if (files.length === 0) return [];
  const versionIds = files.flatMap(({ version_id }) => version_id ?? []);
  const statusIds = [...new Set(files.flatMap(({ status_id }) => status_id ?? []))];
  const projectIds = [...new Set(files.map(({ project_id }) => project_id))];
  const [versions, statuses, projects] = await Promise.all([
    versionIds.length === 0 ? [] : db.selectFrom("file_versions").select(VERSION_COLUMNS).where("id", "in", versionIds).execute(),
    statusIds.length === 0 ? [] : db.selectFrom("file_statuses").selectAll().where("id", "in", statusIds).execute(),
    db.selectFrom("projects").select(["id", "team_id"]).where("id", "in", projectIds).execute(),
  ]);
  const versionById = new Map(versions.map((row) => [row.id, row]));
  const statusById = new Map(statuses.map((row) => [row.id, row]));
  const teamIdByProject = new Map(projects.map((row) => [row.id, row.team_id]));
  return files.map((file) => ({
    file,
    version: file.version_id === null ? null : (versionById.get(file.version_id) ?? null),
    status: file.status_id === null ? null : (statusById.get(file.status_id) ?? null),
    teamId: teamIdByProject.get(file.project_id) ?? 0,
  }));
}

export async function loadFileView(db: Db, file: Row<"files">): Promise<FileView> {
  const [view] = await loadFileViews(db, [file]);
  if (!view) throw notFound("file");
  return view;
}

/** Loads file views with the additional columns of the files view. */
export async function loadFilesViewEntries(db: Db, files: Row<"files">[]): Promise<FilesViewEntry[]> {
  const audio = files.flatMap(({ kind, version_id }) => (kind === "audio" && version_id !== null ? [version_id] : []));
  const folders = files.flatMap(({ id, is_folder }) => (is_folder === 1 ? [id] : []));
  const [views, waves, counts] = await Promise.all([
    loadFileViews(db, files),
    audio.length === 0 ? [] : db.selectFrom("file_versions").select(["id", "short_wave"]).where("id", "in", padIds(audio)).execute(),
    folders.length === 0 ? [] : countChildren(db, folders),
  ]);
  const waveByVersion = new Map(waves.map((row) => [row.id, row.short_wave]));
  const itemCountByFolder = new Map(counts.map((row) => [row.id, row.items]));
  return views.map((view) => ({
    ...view,
    wave: view.file.version_id === null ? null : (waveByVersion.get(view.file.version_id) ?? null),
    itemCount: view.file.is_folder === 1 ? (itemCountByFolder.get(view.file.id) ?? 0) : null,
  }));
}

export async function loadFilesViewEntry(db: Db, file: Row<"files">): Promise<FilesViewEntry> {
  const [entry] = await loadFilesViewEntries(db, [file]);
  if (!entry) throw notFound("file");
  return entry;
}

/** Counts the entries of each folder that are not deleted, up to `LIMITS.item_count_max`, so that the cost of a page does not depend on folder size. */
async function countChildren(db: Db, folderIds: readonly number[]) {
  const childCounts: { id: number; items: number }[] = [];
  for (let offset = 0; offset < folderIds.length; offset += MAX_IDS_PER_QUERY) {
    const ids = padIds(folderIds.slice(offset, offset + MAX_IDS_PER_QUERY));
    const { rows } = await sql<{ id: number; items: number }>`select folders.id,
      (select count(*) from (select 1 as one from files where files.parent_id = folders.id and files.deleted_at is null limit ${LIMITS.item_count_max}) as counted) as items
      from files as folders where folders.id in (${sql.join(ids)})`.execute(db);
    childCounts.push(...rows);
  }
  return childCounts;
}

/** Returns the folder, or its nearest ancestor that is not deleted; the root never is. */
export async function loadNearestFolder(tx: Tx, id: number | null): Promise<Row<"files">> {
  for (let folderId = id; folderId !== null;) {
    const folder = await tx.selectFrom("files").selectAll().where("id", "=", folderId).executeTakeFirstOrThrow();
    if (folder.deleted_at === null) return folder;
    folderId = folder.parent_id;
  }
  throw notFound("folder");
}

export const findByName = (db: Db, parentId: number, nameKey: string): Promise<Row<"files"> | undefined> =>
  db.selectFrom("files").selectAll().where("parent_id", "=", parentId).where("name_key", "=", nameKey).where("deleted_at", "is", null).executeTakeFirst();

/** Returns which of these name keys the folder already contains. */
export async function findTakenKeys(db: Db, parentId: number, nameKeys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("files")
    .select("name_key")
    .where("parent_id", "=", parentId)
    .where("name_key", "in", nameKeys)
    .where("deleted_at", "is", null)
    .execute();
  return new Set(rows.map(({ name_key }) => name_key));
}
