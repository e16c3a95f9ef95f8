/**
 * Erases projects that can no longer be restored: their bytes, then all rows of everything in them, in small transactions. An interrupted run is continued by
 * the next one, because the row of the project goes last.
 */
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { audit } from "../../access/audit.ts";
import { BATCH_SIZE } from "../../db/batches.ts";
import type { Schema } from "../../db/schema.ts";
import { type IndexedKind, removeSearchDocuments } from "../../db/search-index.ts";
import { topicOf } from "../../events/log.ts";
import { PROJECT_RETENTION_MS } from "../projects/deleted-projects.ts";
import { KEY_COLUMNS, keysOf } from "./blob-keys.ts";
import { deleteBlobs } from "./blob-rows.ts";
import type { FilesDeps } from "./deps.ts";
import { eraseText } from "./document-pages.ts";

type EraseDeps = Pick<FilesDeps, "database" | "storage" | "clock">;
type Condition = RawBuilder<SqlBool>;

/** Erases what is due, and returns the number of projects. */
export async function eraseDeletedProjects(deps: EraseDeps): Promise<number> {
  const { database, clock } = deps;
  const due = await database.backgroundRead
    .selectFrom("projects")
    .innerJoin("teams", "teams.id", "projects.team_id")
    .select(["projects.id", "teams.organisation_id"])
    .where("projects.deleted_at", "<=", clock.now() - PROJECT_RETENTION_MS)
    .orderBy("projects.id")
    .execute();
  for (const { id, organisation_id } of due) {
    await eraseVersions(deps, id);
    await eraseRows(deps, id);
    await database.backgroundWrite(async (tx) => {
      await tx.deleteFrom("topics").where("topic", "=", topicOf.project(id)).execute();
      await removeSearchDocuments(tx, database.engine, "project", [id]);
      const erased = await tx.deleteFrom("projects").where("id", "=", id).returning("id").executeTakeFirst();
      const entry = { organisationId: organisation_id, accountId: null, action: "project.erased", target: `project:${id}`, address: null } as const;
      if (erased) await audit(tx, clock.now(), entry);
    });
  }
  return due.length;
}

/** Removes bytes first: the next run retries a record without bytes, but nothing would find bytes without a record. */
async function eraseVersions({ database, storage }: EraseDeps, projectId: number): Promise<void> {
  const inProject = sql<SqlBool>`version_id in (select file_versions.id from file_versions join files on files.id = file_versions.file_id
    where files.project_id = ${projectId})`;
  for (const table of ["attachments", "playlist_items"] as const) await deleteAll({ database }, table, inProject);
  for (;;) {
    const versions = await database.backgroundRead
      .selectFrom("file_versions")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .select("file_versions.id")
      .select(KEY_COLUMNS.map((column) => `file_versions.${column}` as const))
      .where("files.project_id", "=", projectId)
      .limit(BATCH_SIZE)
      .execute();
    if (versions.length === 0) return;
    for (const version of versions) {
      const keys = keysOf(version).map(({ key }) => key);
      for (const key of keys) await storage.remove(key);
      await database.backgroundWrite(async (tx) => {
        await eraseText(tx, database.engine, version.id);
        await tx.updateTable("files").set({ version_id: null }).where("version_id", "=", version.id).execute();
        await tx.deleteFrom("file_versions").where("id", "=", version.id).execute();
        await deleteBlobs(tx, keys);
      });
    }
  }
}

/** In the order of their references. */
async function eraseRows(deps: EraseDeps, projectId: number): Promise<void> {
  const ofProject = sql<SqlBool>`project_id = ${projectId}`;
  const fileIds = sql`(select id from files where project_id = ${projectId})`;
  const ofFiles = sql<SqlBool>`file_id in ${fileIds}`;
  const ofMessages = sql<SqlBool>`message_id in (select id from messages where project_id = ${projectId})`;
  const ofPlaylists = sql<SqlBool>`playlist_id in (select id from playlists where project_id = ${projectId})`;
  const ofEvents = sql<SqlBool>`event_id in (select id from outbound_events where project_id = ${projectId})`;
  const items = sql<SqlBool>`(item_type = 'project' and item_id = ${projectId}) or (item_type = 'file' and item_id in ${fileIds})
    or (item_type = 'playlist' and item_id in (select id from playlists where project_id = ${projectId}))
    or (item_type = 'message' and item_id in (select id from messages where project_id = ${projectId}))`;
  const steps: [keyof Schema, Condition, IndexedKind?][] = [
    ["favorites", items],
    ["recent_items", items],
    ["notifications", ofProject],
    ["project_notification_settings", ofProject],
    ["agent_subscription_cursors", ofProject],
    ["agent_task_runs", sql`task_id in (select id from agent_tasks where project_id = ${projectId})`],
    ["agent_tasks", ofProject],
    ["agent_actions", ofProject],
    ["delivery_attempts", sql`delivery_id in (select id from deliveries where ${ofEvents})`],
    ["deliveries", ofEvents],
    ["outbound_events", ofProject],
    ["metadata_values", ofProject],
    ["reactions", ofMessages],
    ["message_mentions", ofProject],
    ["attachments", ofMessages],
    ["playlist_items", sql`${ofPlaylists} or ${ofFiles}`],
    ["tasks", ofFiles, "task"],
    ["comment_reads", ofFiles],
    ["file_watchers", ofFiles],
    ["file_tags", ofProject],
    ["status_changes", ofFiles],
    // Replies refer to their comments, messages to those that they answer, and entries to their folders: what nothing refers to goes first, again and again.
    ["comments", sql`${ofProject} and not exists (select 1 from comments reply where reply.parent_id = comments.id)`, "comment"],
    ["messages", sql`${ofProject} and not exists (select 1 from messages reply where reply.parent_id = messages.id)`, "message"],
    ["playlists", ofProject, "playlist"],
    ["files", sql`${ofProject} and not exists (select 1 from files entry where entry.parent_id = files.id)`, "file"],
    ["read_markers", ofProject],
    ["project_members", ofProject],
    ["events", sql`topic = ${topicOf.project(projectId)}`],
  ];
  for (const [table, condition, kind] of steps) await deleteAll(deps, table, condition, kind);
}

/** Deletes rows, with their entries in the index of their kind, until the condition holds for none. */
async function deleteAll({ database }: Pick<EraseDeps, "database">, table: keyof Schema, condition: Condition, kind?: IndexedKind): Promise<void> {
  const rowId = sql.ref(database.engine === "postgres" ? `${table}.ctid` : `${table}.rowid`);
  for (;;) {
    const count = await database.backgroundWrite(async (tx) => {
      const found = sql`select ${rowId} from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH_SIZE)}`;
      if (kind === undefined) return (await sql`delete from ${sql.table(table)} where ${rowId} in (${found})`.execute(tx)).numAffectedRows;
      const { rows } = await sql<{ id: number }>`delete from ${sql.table(table)} where ${rowId} in (${found}) returning id`.execute(tx);
      if (rows.length > 0)
        await removeSearchDocuments(
          tx,
          database.engine,
          kind,
          rows.map(({ id }) => id),
        );
      return BigInt(rows.length);
    });
    if (!count) return;
  }
}
