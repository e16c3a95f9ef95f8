/** Erases a project with everything in it: rows, bytes and index entries. */
import { sql } from "kysely";
import { MANAGER_ROLES } from "../../../contract/policy.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { BATCH_SIZE } from "../../db/batches.ts";
import type { Tx } from "../../db/schema.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { topicOf } from "../../events/log.ts";
import type { Storage } from "../../storage/storage.ts";
import { KEY_COLUMNS, keysOf } from "../files/blob-keys.ts";
import { deleteBlobs } from "../files/blob-rows.ts";
import { projectRows, type ProjectRows } from "./project-rows.ts";

export interface ErasureDeps extends Pick<ModuleDeps, "database" | "events"> {
  storage: Storage;
}

/** Runs in the transaction that deletes the project. */
type OnErased = (tx: Tx, organisationId: number) => Promise<void>;

/** Versions whose bytes are removed before one transaction deletes their rows. */
const VERSIONS_PER_BATCH = 50;

export function createProjectErasure({ database, events, storage }: ErasureDeps) {
  const { engine } = database;

  /** Deletes at most `BATCH_SIZE` rows, newest first, so that replies go before what they answer. Returns whether there may be more. */
  async function deleteBatch(tx: Tx, { table, where, index }: ProjectRows): Promise<boolean> {
    const row = sql.ref(index ? "id" : engine === "postgres" ? "ctid" : "rowid");
    const found = sql`select ${row} from ${sql.table(table)} where ${where} order by ${row} desc limit ${BATCH_SIZE}`;
    if (!index) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (${found})`.execute(tx);
      return Number(numAffectedRows) === BATCH_SIZE;
    }
    const ids = (await sql<{ id: number }>`${found}`.execute(tx)).rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    await removeSearchDocuments(tx, engine, index, ids);
    await sql`delete from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(tx);
    return ids.length === BATCH_SIZE;
  }

  /** Deletes the rows in transactions of their own, so that other writes get in between. */
  async function deleteInBatches(rows: readonly ProjectRows[], signal: AbortSignal | undefined): Promise<void> {
    for (const each of rows)
      do signal?.throwIfAborted();
      while (await database.backgroundWrite((tx) => deleteBatch(tx, each)));
  }

  /** Removes bytes before rows: a later run removes a row without bytes, but nothing would find bytes without a row. */
  async function deleteVersions(projectId: number, signal: AbortSignal | undefined): Promise<void> {
    const referring = projectRows(projectId, engine).beforeVersions.filter(({ ofVersions }) => ofVersions);
    for (;;) {
      signal?.throwIfAborted();
      const versions = await database.backgroundRead
        .selectFrom("file_versions")
        .innerJoin("files", "files.id", "file_versions.file_id")
        .select("file_versions.id")
        .select(KEY_COLUMNS.map((column) => `file_versions.${column}` as const))
        .where("files.project_id", "=", projectId)
        .limit(VERSIONS_PER_BATCH)
        .execute();
      if (versions.length === 0) return;
      const keys = [...new Set(versions.flatMap((version) => keysOf(version).map(({ key }) => key)))];
      for (const key of keys) await storage.remove(key);
      const ids = versions.map(({ id }) => id);
      await database.backgroundWrite(async (tx) => {
        // Added meanwhile.
        for (const { table } of referring) await sql`delete from ${sql.table(table)} where version_id in (${sql.join(ids)})`.execute(tx);
        await tx.deleteFrom("file_versions").where("id", "in", ids).execute();
        // Versions of one file may share bytes.
        await deleteBlobs(tx, await withoutOtherVersions(tx, keys));
      });
    }
  }

  /** Files refer to their folders, which may be newer: they are taken apart before they are deleted. */
  async function detachFiles(projectId: number, signal: AbortSignal | undefined): Promise<void> {
    const attached = sql`select id from files where project_id = ${projectId} and parent_id is not null limit ${BATCH_SIZE}`;
    let count = BATCH_SIZE;
    while (count === BATCH_SIZE) {
      signal?.throwIfAborted();
      const result = await database.backgroundWrite((tx) => sql`update files set parent_id = null where id in (${attached})`.execute(tx));
      count = Number(result.numAffectedRows);
    }
  }

  /** Deletes what was added meanwhile, and the project. Returns false if a version was added, whose bytes must go first. */
  async function finish(tx: Tx, projectId: number, onErased?: OnErased): Promise<boolean> {
    await events.lock(tx, topicOf.project(projectId));
    const project = await tx
      .selectFrom("projects")
      .innerJoin("teams", "teams.id", "projects.team_id")
      .select("teams.organisation_id")
      .where("projects.id", "=", projectId)
      .executeTakeFirst();
    if (!project) return true;
    const files = tx.selectFrom("files").select("id").where("project_id", "=", projectId);
    if (await tx.selectFrom("file_versions").select("id").where("file_id", "in", files).limit(1).executeTakeFirst()) return false;
    const viewers = await tx
      .selectFrom("accounts")
      .select("id")
      .where("organisation_id", "=", project.organisation_id)
      .where(({ or, eb }) =>
        or([eb("role", "in", MANAGER_ROLES), eb("id", "in", tx.selectFrom("project_members").select("account_id").where("project_id", "=", projectId))]),
      )
      .execute();
    const { beforeVersions, afterVersions } = projectRows(projectId, engine);
    await tx.updateTable("files").set({ parent_id: null }).where("project_id", "=", projectId).execute();
    for (const rows of [...beforeVersions, ...afterVersions]) while (await deleteBatch(tx, rows));
    await removeSearchDocuments(tx, engine, "project", [projectId]);
    await tx.deleteFrom("projects").where("id", "=", projectId).execute();
    events.appendToAccounts(
      tx,
      viewers.map(({ id }) => id),
      "projects.changed",
      { project_id: projectId },
    );
    await onErased?.(tx, project.organisation_id);
    return true;
  }

  return {
    /**
     * Erases the project at once and for good; nothing happens if there is none. People see it until the last transaction, so callers hide it first where
     * that takes long. An interrupted call is completed by the next one.
     */
    async erase(projectId: number, { signal, onErased }: { signal?: AbortSignal | undefined; onErased?: OnErased } = {}): Promise<void> {
      const { beforeVersions, afterVersions } = projectRows(projectId, engine);
      const exists = async () => (await database.read.selectFrom("projects").select("id").where("id", "=", projectId).executeTakeFirst()) !== undefined;
      for (let isDone = !(await exists()); !isDone;) {
        await deleteInBatches(beforeVersions, signal);
        await deleteVersions(projectId, signal);
        // Removing bytes takes long; what was added meanwhile refers to files.
        await deleteInBatches(beforeVersions, signal);
        await detachFiles(projectId, signal);
        // Members keep their access until the end.
        await deleteInBatches(
          afterVersions.filter(({ table }) => table === "files"),
          signal,
        );
        isDone = await database.backgroundWrite((tx) => finish(tx, projectId, onErased));
      }
    },
  };
}

/** Returns those of the keys that no version has any more. */
async function withoutOtherVersions(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const used = await tx.selectFrom("file_versions").select("blob_key").where("blob_key", "in", keys).execute();
  const usedKeys = new Set(used.map(({ blob_key }) => blob_key));
  return keys.filter((key) => !usedKeys.has(key));
}

export type ProjectErasure = ReturnType<typeof createProjectErasure>;
