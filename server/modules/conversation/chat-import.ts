/** Imports messages of another chat in bulk at the end of a project's chat, with their original timestamps. */
import { audit } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { reserveIds, padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { searchTokens } from "../../db/search.ts";
import { upsertSearchDocuments } from "../../db/search-index.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import { audienceOf } from "../projects/repository.ts";
import { advanceReadMarkers } from "./message-repository.ts";

export interface ImportedMessage {
  /** The message id in the import file. */
  sourceId: string;
  accountId: number;
  body: string;
  createdAt: number;
  editedAt: number | null;
  parentId: { sourceId: string } | null;
}
/** Imported message ids by source id. Holds every imported record of the project, so entries are kept small. */
export interface ImportedIds {
  ids: Map<string, number>;
  /** Highest message id of the project that has been scanned for imported messages. */
  lastScannedId: number;
}
export interface BatchResult {
  written: number;
  /** Messages that a concurrent run has already imported. */
  alreadyImported: number;
  /** Replies whose parent was not imported before them; they are written without a parent. */
  withoutParent: number;
}

/** Rows per insert statement, well below the engines' limits on parameters. */
const ROWS_PER_INSERT = 500;
const PAGE_SIZE = 20_000;
/** Contains a character that no request's `client_id` may have, so that no request can claim the key of an imported message. */
const CLIENT_ID_PREFIX = "import/";

/** A message with its search tokens, which take longer to compute than to write. */
type Prepared = ImportedMessage & { tokens: string[] };

export function createChatImport({ database, events, clock }: ModuleDeps) {
  /** Selects the project's imported messages with an id above `last`, in id order. */
  const selectImportedAfter = (db: Db, projectId: number, last: number) =>
    db
      .selectFrom("messages")
      .select(["id", "client_id"])
      .where("project_id", "=", projectId)
      .where("client_id", "like", `${CLIENT_ID_PREFIX}%`)
      .where("id", ">", last)
      .orderBy("id");
  const sourceIdOf = (row: { client_id: string | null }): string => (row.client_id ?? "").slice(CLIENT_ID_PREFIX.length);

  async function loadAuthorIds(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.selectFrom("messages").select(["id", "account_id"]).where("id", "in", padIds(ids)).execute();
    return new Map(rows.map(({ id, account_id }) => [id, account_id]));
  }

  /** Inserts the batch, adds the new ids to `addedIds`, and returns the number of replies whose parent is missing. */
  async function insert(
    tx: Tx,
    projectId: number,
    findId: (sourceId: string) => number | undefined,
    batch: readonly Prepared[],
    addedIds: Map<string, number>,
  ) {
    const { engine } = database;
    const ids = await reserveIds(tx, engine, "messages", batch.length);
    const parents = batch.flatMap(({ parentId }) => (parentId ? (findId(parentId.sourceId) ?? []) : []));
    const authorIds = await loadAuthorIds(tx, [...new Set(parents)]);
    let withoutParent = 0;
    const rows = batch.map((message, index) => {
      const id = ids[index] as number;
      const parent = message.parentId ? (addedIds.get(message.parentId.sourceId) ?? findId(message.parentId.sourceId)) : undefined;
      if (message.parentId && parent === undefined) withoutParent += 1;
      addedIds.set(message.sourceId, id);
      authorIds.set(id, message.accountId);
      return {
        id,
        project_id: projectId,
        account_id: message.accountId,
        body: message.body,
        type: "message",
        is_audio_message: 0 as const,
        parent_id: parent ?? null,
        parent_account_id: parent === undefined ? null : (authorIds.get(parent) ?? null),
        client_id: `${CLIENT_ID_PREFIX}${message.sourceId}`,
        revision: message.editedAt === null ? 1 : 2,
        created_at: message.createdAt,
        edited_at: message.editedAt,
      };
    });
    for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
      await tx
        .insertInto("messages")
        .values(rows.slice(start, start + ROWS_PER_INSERT))
        .execute();
    await upsertSearchDocuments(
      tx,
      engine,
      "message",
      batch.map(({ tokens }, index) => ({ id: ids[index] as number, tokens })),
    );
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    // Advances the markers of readers who had read everything, so that imported history does not count as unread for them.
    await advanceReadMarkers(tx, { projectId, first, last, at: clock.now() });
    await tx.updateTable("projects").set({ last_message_id: last }).where("id", "=", projectId).execute();
    return withoutParent;
  }

  return {
    async loadProject(id: number): Promise<Row<"projects"> & { organisation_id: number }> {
      const row = await database.read
        .selectFrom("projects")
        .innerJoin("teams", "teams.id", "projects.team_id")
        .selectAll("projects")
        .select("teams.organisation_id")
        .where("projects.id", "=", id)
        .executeTakeFirst();
      if (!row) throw notFound("project");
      return row;
    },

    /** Returns all accounts of the organization, including former members. */
    listAccounts: (organisationId: number): Promise<Pick<Row<"accounts">, "id" | "username_key" | "email_key">[]> =>
      database.read.selectFrom("accounts").select(["id", "username_key", "email_key"]).where("organisation_id", "=", organisationId).execute(),

    /** Loads the ids of all messages that earlier runs imported. */
    async loadImportedIds(projectId: number): Promise<ImportedIds> {
      const { read } = database;
      const newest = await read.selectFrom("projects").select("last_message_id").where("id", "=", projectId).executeTakeFirst();
      const ids = new Map<string, number>();
      for (let last = 0; ;) {
        const rows = await selectImportedAfter(read, projectId, last).limit(PAGE_SIZE).execute();
        for (const row of rows) ids.set(sourceIdOf(row), row.id);
        if (rows.length < PAGE_SIZE) return { ids, lastScannedId: newest?.last_message_id ?? 0 };
        last = rows.at(-1)?.id ?? last;
      }
    },

    /** Writes the batch in one transaction and adds the new ids to `imported`; another run may be importing the same records. */
    async writeBatch(projectId: number, imported: ImportedIds, batch: readonly ImportedMessage[]): Promise<BatchResult> {
      const prepared = batch.map((message) => ({
        ...message,
        tokens: searchTokens({ project_id: projectId, account_id: message.accountId, body: message.body, created_at: message.createdAt }, false),
      }));
      const addedIds = new Map<string, number>();
      const result = await database.write(async (tx) => {
        // The transaction may be retried, and must not treat ids of a rolled-back attempt as imported.
        addedIds.clear();
        await events.lock(tx, topicOf.project(projectId));
        for (const row of await selectImportedAfter(tx, projectId, imported.lastScannedId).execute()) addedIds.set(sourceIdOf(row), row.id);
        const newMessages = prepared.filter(({ sourceId }) => !addedIds.has(sourceId));
        const withoutParent =
          newMessages.length === 0 ? 0 : await insert(tx, projectId, (id) => addedIds.get(id) ?? imported.ids.get(id), newMessages, addedIds);
        return { written: newMessages.length, alreadyImported: batch.length - newMessages.length, withoutParent };
      });
      for (const [sourceId, id] of addedIds) {
        imported.ids.set(sourceId, id);
        imported.lastScannedId = Math.max(imported.lastScannedId, id);
      }
      return result;
    },

    /** Notifies open clients once, whatever the number of messages. `before` in `detail`: messages imported by earlier runs. */
    finish: (projectId: number, organisationId: number, detail: { messages: number; before: number }): Promise<void> =>
      database.write(async (tx) => {
        const audience = await audienceOf(tx, projectId).select("accounts.id").execute();
        await events.append(tx, topicOf.project(projectId), "messages.imported", { project_id: projectId });
        events.appendToAccounts(
          tx,
          audience.map(({ id }) => id),
          "projects.changed",
          { project_id: projectId },
        );
        await audit(tx, clock.now(), { organisationId, accountId: null, action: "chat.imported", target: `project:${projectId}`, detail });
      }),
  };
}
