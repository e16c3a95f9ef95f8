/** SQL for messages and their search index. Ids follow commit order within a project, so they serve as cursors. */
import { sql } from "kysely";
import type { Engine } from "../../db/database.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { Db, NewRow, Row, Tx } from "../../db/schema.ts";
import { type IndexedMessage, searchTokens } from "../../db/search.ts";
import { removeSearchDocuments, upsertSearchDocuments } from "../../db/search-index.ts";
import { asLastStep } from "../../db/transaction.ts";

/** Maximum characters of the parent's body in a quote. */
export const EXCERPT_CHARACTERS = 200;

const MESSAGE_COLUMNS = [
  "id",
  "project_id",
  "account_id",
  "body",
  "type",
  "is_audio_message",
  "parent_id",
  "parent_account_id",
  "client_id",
  "revision",
  "created_at",
  "edited_at",
  "deleted_at",
  "comment_id",
  "playlist_id",
] as const;
/** Message columns exposed to routes and events. */
export type MessageColumns = Pick<Row<"messages">, (typeof MESSAGE_COLUMNS)[number]>;
export type MessageRow = MessageColumns & {
  parent_excerpt: string | null;
  parent_deleted_at: number | null;
  parent_is_audio: 0 | 1 | null;
  parent_playlist_id: number | null;
};

/** Selects messages, each joined with its parent. */
export const selectMessages = (db: Db) =>
  db
    .selectFrom("messages")
    .leftJoin("messages as parents", "parents.id", "messages.parent_id")
    .select(MESSAGE_COLUMNS.map((column) => `messages.${column}` as const))
    .select([
      sql<string | null>`substr(parents.body, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("parent_excerpt"),
      "parents.deleted_at as parent_deleted_at",
      "parents.is_audio_message as parent_is_audio",
      "parents.playlist_id as parent_playlist_id",
    ]);

interface HistoryWindow {
  projectId: number;
  includeDeleted: boolean;
}

type PageBound = { projectId: number; bound: number; limit: number };
const selectPage = (order: "asc" | "desc", includeDeleted: boolean) =>
  prepareStatement<PageBound, MessageRow>((db, { projectId, bound, limit }) => {
    const query = selectMessages(db)
      .where("messages.project_id", "=", projectId)
      .where("messages.id", order === "asc" ? ">" : "<", bound);
    return (includeDeleted ? query : query.where("messages.deleted_at", "is", null)).orderBy("messages.id", order).limit(limit);
  });
const pageStatements = {
  asc: { all: selectPage("asc", true), kept: selectPage("asc", false) },
  desc: { all: selectPage("desc", true), kept: selectPage("desc", false) },
};

/** Returns the newest messages with an id below `before` (null: no bound), newest first. */
export const loadOlderMessages = (db: Db, { projectId, includeDeleted }: HistoryWindow, before: number | null, limit: number): Promise<MessageRow[]> =>
  pageStatements.desc[includeDeleted ? "all" : "kept"](db, { projectId, bound: before ?? Number.MAX_SAFE_INTEGER, limit });

/** Returns the oldest messages with an id above `after`, oldest first. */
export const loadNewerMessages = (db: Db, { projectId, includeDeleted }: HistoryWindow, after: number, limit: number): Promise<MessageRow[]> =>
  pageStatements.asc[includeDeleted ? "all" : "kept"](db, { projectId, bound: after, limit });

const selectByClientId = prepareStatement<{ accountId: number; projectId: number; clientId: string }, Pick<Row<"messages">, "id" | "request_hash">>(
  (db, { accountId, projectId, clientId }) =>
    db
      .selectFrom("messages")
      .select(["id", "request_hash"])
      .where("account_id", "=", accountId)
      .where("project_id", "=", projectId)
      .where("client_id", "=", clientId),
);

export const findMessageByClientId = async (
  db: Db,
  accountId: number,
  projectId: number,
  clientId: string,
): Promise<Pick<Row<"messages">, "id" | "request_hash"> | undefined> => (await selectByClientId(db, { accountId, projectId, clientId }))[0];

export interface FileMessageRow extends Pick<Row<"messages">, "id" | "project_id" | "account_id" | "created_at"> {
  /** Version number. */
  number: number;
  excerpt: string;
}

/** Returns the messages that have the file attached, newest version first, then newest message. */
export const loadMessagesOfFile = (db: Db, fileId: number, limit: number): Promise<FileMessageRow[]> =>
  db
    .selectFrom("attachments")
    .innerJoin("messages", "messages.id", "attachments.message_id")
    .innerJoin("file_versions", "file_versions.id", "attachments.version_id")
    .select(["messages.id", "messages.project_id", "messages.account_id", "messages.created_at", "file_versions.number"])
    .select(sql<string>`substr(messages.body, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("excerpt"))
    .where("attachments.file_id", "=", fileId)
    .where("messages.deleted_at", "is", null)
    .orderBy("file_versions.number", "desc")
    .orderBy("messages.id", "desc")
    .limit(limit)
    .execute();

/** Returns whether messages exist before (`<`) or after (`>`) this id. */
export async function hasMessagesBeyond(db: Db, { projectId, includeDeleted }: HistoryWindow, side: "<" | ">", id: number): Promise<boolean> {
  const query = db.selectFrom("messages").select("id").where("project_id", "=", projectId).where("id", side, id).limit(1);
  return (await (includeDeleted ? query : query.where("deleted_at", "is", null)).executeTakeFirst()) !== undefined;
}

/** Returns the message row without attachments or other related rows. */
export const findMessageRow = (db: Db, projectId: number, id: number): Promise<Row<"messages"> | undefined> =>
  db.selectFrom("messages").selectAll().where("project_id", "=", projectId).where("id", "=", id).executeTakeFirst();

/** Returns the first message written at this time or later, ignoring deleted ones. */
export const findFirstMessageSince = (db: Db, projectId: number, since: number): Promise<MessageRow | undefined> =>
  selectMessages(db)
    .where("messages.project_id", "=", projectId)
    .where("messages.created_at", ">=", since)
    .where("messages.deleted_at", "is", null)
    .orderBy("messages.created_at")
    .orderBy("messages.id")
    .limit(1)
    .executeTakeFirst();

/** Returns the time span of the chat, deleted messages included: `since` is its first message, `until` is 1 ms after its last. */
export async function loadChatSpan(db: Db, projectId: number): Promise<{ since: number; until: number }> {
  // Each of the two subqueries is a single lookup in the time index.
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(created_at) from messages where project_id = ${projectId}) as first,
      (select max(created_at) from messages where project_id = ${projectId}) as last`.execute(db);
  return { since: rows[0]?.first ?? 0, until: (rows[0]?.last ?? -1) + 1 };
}

type NewMessageRow = Required<
  Pick<NewRow<"messages">, "project_id" | "account_id" | "body" | "type" | "is_audio_message" | "parent_id" | "parent_account_id">
> &
  Required<Pick<NewRow<"messages">, "client_id" | "request_hash" | "revision" | "created_at" | "comment_id" | "playlist_id">>;

const insertRow = prepareStatement<NewMessageRow, Row<"messages">>((db, row) =>
  db
    .insertInto("messages")
    .values({
      project_id: row.project_id,
      account_id: row.account_id,
      body: row.body,
      type: row.type,
      is_audio_message: row.is_audio_message,
      parent_id: row.parent_id,
      parent_account_id: row.parent_account_id,
      client_id: row.client_id,
      request_hash: row.request_hash,
      revision: row.revision,
      created_at: row.created_at,
      comment_id: row.comment_id,
      playlist_id: row.playlist_id,
    })
    .returningAll(),
);
const setLastMessage = prepareStatement<{ projectId: number; id: number }, unknown>((db, { projectId, id }) =>
  db.updateTable("projects").set({ last_message_id: id }).where("id", "=", projectId),
);

/** Inserts a message as the project's newest; if its author had read everything before it, their marker advances to it. */
export async function insertMessage(tx: Tx, values: NewMessageRow): Promise<Row<"messages">> {
  const [row] = (await insertRow(tx, values)) as [Row<"messages">];
  await advanceOwnMarker(tx, { projectId: row.project_id, first: row.id, last: row.id, at: row.created_at, accountId: row.account_id });
  await setLastMessage(tx, { projectId: row.project_id, id: row.id });
  return row;
}

interface NewMessageRange {
  projectId: number;
  /** Ids of the first and the last new message. */
  first: number;
  last: number;
  at: number;
}

const updateMarkers = (db: Db, { projectId, first, last, at }: NewMessageRange) =>
  db
    .updateTable("read_markers")
    .set({ last_read_message_id: last, moved_at: at })
    .where("project_id", "=", projectId)
    .where(
      "last_read_message_id",
      ">=",
      sql<number>`coalesce((
        select id from messages where project_id = ${projectId} and id < ${first} and deleted_at is null order by id desc limit 1), 0)`,
    );

/** Advances the markers of readers who had read everything before the new messages; deleted messages do not count as unread. */
export const advanceReadMarkers = (tx: Tx, range: NewMessageRange): Promise<unknown> => updateMarkers(tx, range).execute();

/** The same for one reader. */
const advanceOwnMarker = prepareStatement<NewMessageRange & { accountId: number }, unknown>((db, range) =>
  updateMarkers(db, range).where("account_id", "=", range.accountId),
);

/** Returns the id of the preceding message, deleted ones included; 0 if there is none. */
export async function findPreviousMessageId(db: Db, projectId: number, id: number): Promise<number> {
  const row = await db
    .selectFrom("messages")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "<", id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

interface IndexChange {
  engine: Engine;
  id: number;
  /** null: the message leaves the index. */
  tokens: string[] | null;
}

/** The last change of each message counts, because one write may edit and another delete it before the same commit. */
async function changeIndex(tx: Tx, changes: readonly IndexChange[]): Promise<void> {
  const last = new Map(changes.map((change) => [change.id, change]));
  for (const [engine, ofEngine] of Map.groupBy(last.values(), (change) => change.engine)) {
    const indexed = ofEngine.flatMap(({ id, tokens }) => (tokens === null ? [] : [{ id, tokens }]));
    const removed = ofEngine.flatMap(({ id, tokens }) => (tokens === null ? [id] : []));
    await upsertSearchDocuments(tx, engine, "message", indexed);
    await removeSearchDocuments(tx, engine, "message", removed);
  }
}

/**
 * Changes the index in the transaction that changes the message. On SQLite it is the last step, so that a search in the same transaction does not find the
 * message: SQLite writes a part of its index at each commit, and before that at each savepoint, so messages that share a commit reach the index together.
 */
async function changeIndexAtCommit(tx: Tx, change: IndexChange): Promise<void> {
  if (change.engine === "sqlite") asLastStep(changeIndex, change);
  else await changeIndex(tx, [change]);
}

/** Indexes a message that is created, edited or restored. */
export const indexMessage = (tx: Tx, engine: Engine, row: IndexedMessage & { id: number }, hasFile: boolean): Promise<void> =>
  changeIndexAtCommit(tx, { engine, id: row.id, tokens: searchTokens(row, hasFile) });

export const unindexMessage = (tx: Tx, engine: Engine, id: number): Promise<void> => changeIndexAtCommit(tx, { engine, id, tokens: null });
