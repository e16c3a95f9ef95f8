/** Writes messages of another chat in bulk: at the end of a project's chat, with the time they were written at. */
import type { Db, Row, Tx } from "../../db/schema.ts";
import { reserveIds, padIds } from "../../db/portable.ts";
import { upsertSearchDocuments } from "../../db/search.ts";
import { searchTokens } from "../../db/searchable.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/faults.ts";
import { audit } from "../audit.ts";
import type { DomainDeps } from "../deps.ts";
import { advanceReadMarkers } from "./repository.ts";
import { audienceOf } from "../watchers.ts";

export interface ImportedMessage {
  /** As the file names it. */
  sourceId: string;
  accountId: number;
  body: string;
  createdAt: number;
  editedAt: number | null;
  parentId: { sourceId: string } | null;
}
/** What is in, by the id that the file has for it. Kept small: it holds every record of the project. */
export interface ImportedIds {
  ids: Map<string, number>;
  /** Messages of the project up to this one were looked through. */
  lastScannedId: number;
}
export interface BatchResult {
  written: number;
  /** Those that somebody else's run had written meanwhile. */
  alreadyImported: number;
  /** Replies whose parent was not before them: written as messages of their own. */
  withoutParent: number;
}

/** Rows of one statement: well below the parameters that an engine takes. */
const ROWS_PER_INSERT = 500;
const PAGE_SIZE = 20_000;
/** With a character that no `client_id` of a request has: nobody can take an imported message's name. */
const CLIENT_ID_PREFIX = "import/";

/** A message with what the search finds it by, which takes longer to find out than to write. */
type Prepared = ImportedMessage & { terms: string[] };

export function createChatImport({ database, events, clock }: DomainDeps) {
  /** Imported messages of the project with an id above `last`, in order. */
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

  /** Returns how many are replies to nothing; `addedIds` takes the new ids. */
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
      batch.map(({ terms }, index) => ({ id: ids[index] as number, tokens: terms })),
    );
    const [first, last] = [ids[0] as number, ids.at(-1) as number];
    // Nobody who had read everything is told of years of old news.
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

    /** Everybody of the organisation, also who has left. */
    listAccounts: (organisationId: number): Promise<Pick<Row<"accounts">, "id" | "username_key" | "email_key">[]> =>
      database.read.selectFrom("accounts").select(["id", "username_key", "email_key"]).where("organisation_id", "=", organisationId).execute(),

    /** What was imported before. */
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

    /** One transaction. What is in the batch becomes known with its new id. Another run may be writing the same records. */
    async writeBatch(projectId: number, imported: ImportedIds, batch: readonly ImportedMessage[]): Promise<BatchResult> {
      const prepared = batch.map((message) => ({
        ...message,
        terms: searchTokens({ project_id: projectId, account_id: message.accountId, body: message.body, created_at: message.createdAt }, false),
      }));
      const addedIds = new Map<string, number>();
      const result = await database.write(async (tx) => {
        // A transaction may run again, and must then not find what it had written itself.
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

    /** Tells open windows once, however much it was. `alreadyImported`: imported by earlier runs. */
    finish: (projectId: number, organisationId: number, detail: { messages: number; before: number }): Promise<void> =>
      database.write(async (tx) => {
        const audience = await audienceOf(tx, projectId).select("accounts.id").execute();
        await events.append(tx, topicOf.project(projectId), "messages.imported", { project_id: projectId });
        for (const { id } of audience) await events.append(tx, topicOf.account(id), "projects.changed", { project_id: projectId });
        await audit(tx, clock.now(), { organisationId, accountId: null, action: "chat.imported", target: `project:${projectId}`, detail });
      }),
  };
}
