/** Read positions in a file's comments, which only move forward. */
import { sql } from "kysely";
import type { Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { loadAuthorizedFile } from "../files/repository.ts";
import { markSeen } from "../notifications/read-state.ts";
import { hasUnreadComments, lastReadCommentId } from "../projects/unread.ts";
import { presentReadPosition, type ReadPosition } from "./comment-presenter.ts";
import { findNewestCommentId } from "./comment-repository.ts";

type FileRef = Pick<Row<"files">, "id" | "project_id">;
/** Returns the read position; nothing is unread for someone who does not follow the project. */
export async function loadReadPosition(db: Db, accountId: number, { id, project_id }: FileRef): Promise<ReadPosition> {
  const { up_to, unread } = await db
    .selectFrom("files")
    .select([lastReadCommentId(accountId, id, project_id).as("up_to"), hasUnreadComments(accountId, id, project_id).as("unread")])
    .where("files.id", "=", id)
    .executeTakeFirstOrThrow();
  return { fileId: id, projectId: project_id, lastRead: up_to ?? (await findNewestCommentId(db, id)), hasUnread: Boolean(unread) };
}

/** Makes a commenter follow the file, so that later comments count as unread; earlier unread comments stay unread. */
export async function followFile(tx: Tx, accountId: number, { id, project_id }: FileRef, newest: number): Promise<void> {
  await sql`insert into comment_reads (account_id, file_id, last_read_comment_id)
    values (${accountId}, ${id}, coalesce((select comments_since from read_markers where account_id = ${accountId} and project_id = ${project_id}), ${newest}))
    on conflict do nothing`.execute(tx);
}

/** Returns, for each person who follows the file, how far they have read, and whether it has unread comments. */
async function loadReaders(tx: Tx, { id, project_id }: FileRef): Promise<{ accountId: number; lastRead: number | null; hasUnread: boolean }[]> {
  const reader = sql.ref<number>("readers.account_id");
  const { rows } = await sql<{ account_id: number; up_to: number | null; unread: boolean | number }>`
    select account_id, ${lastReadCommentId(reader, id, project_id)} as up_to, ${hasUnreadComments(reader, id, project_id)} as unread from (
      select account_id from read_markers where project_id = ${project_id} union select account_id from comment_reads where file_id = ${id}
    ) readers`.execute(tx);
  return rows.map(({ account_id, up_to, unread }) => ({ accountId: account_id, lastRead: up_to, hasUnread: Boolean(unread) }));
}

/** Returns, by account, whether the file has unread comments for each person who follows it. */
export async function loadUnreadByAccount(tx: Tx, file: FileRef): Promise<Map<number, boolean>> {
  return new Map((await loadReaders(tx, file)).map(({ accountId, hasUnread }) => [accountId, hasUnread]));
}

/** Publishes the read position to readers whose unread flag differs from `before`, at the end of the transaction, where no `markRead` runs at the same time. */
export const publishReadPositions = (tx: Tx, events: EventLog, file: FileRef, before: ReadonlyMap<number, boolean>): void =>
  events.atEnd(tx, [...before.keys()].map(topicOf.account), async () => {
    const readers = await loadReaders(tx, file);
    const newest = await findNewestCommentId(tx, file.id);
    // Only of those in `before` the topic is locked.
    const changed = readers.filter(({ accountId, hasUnread }) => before.has(accountId) && before.get(accountId) !== hasUnread);
    await events.appendMany(
      tx,
      changed.map(({ accountId, lastRead, hasUnread }) => {
        const position = { fileId: file.id, projectId: file.project_id, lastRead: lastRead ?? newest, hasUnread };
        return { topic: topicOf.account(accountId), type: "comments.read", data: presentReadPosition(position) };
      }),
    );
  });

export function createCommentReads({ database, events, clock }: ModuleDeps) {
  return {
    /** Moves the read position, never past the newest comment; the first call also makes the reader follow the file. */
    markRead(actor: Actor, fileId: number, commentId: number): Promise<ReadPosition> {
      return database.write(async (tx) => {
        const file = await loadAuthorizedFile(tx, actor, "comment.read", fileId);
        // Locks the account's topic against this reader's other clients, so that events follow the order of moves.
        await events.lock(tx, topicOf.account(actor.accountId));
        const existing = await tx
          .selectFrom("comment_reads")
          .select("last_read_comment_id")
          .where("account_id", "=", actor.accountId)
          .where("file_id", "=", file.id)
          .executeTakeFirst();
        const before = await loadReadPosition(tx, actor.accountId, file);
        const target = Math.max(Math.min(commentId, await findNewestCommentId(tx, file.id)), existing ? 0 : before.lastRead);
        if (existing && target <= existing.last_read_comment_id) return before;
        await tx
          .insertInto("comment_reads")
          .values({ account_id: actor.accountId, file_id: file.id, last_read_comment_id: target })
          .onConflict((on) => on.columns(["account_id", "file_id"]).doUpdateSet({ last_read_comment_id: target }))
          .execute();
        const state = await loadReadPosition(tx, actor.accountId, file);
        if (state.lastRead !== before.lastRead) await events.append(tx, topicOf.account(actor.accountId), "comments.read", presentReadPosition(state));
        await markSeen(tx, { events, clock }, actor.accountId, { fileId: file.id, upToCommentId: target });
        return state;
      });
    },
  };
}
