/** SQL for comments: found through the files that the actor sees. */
import { sql } from "kysely";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { notFound } from "../../lib/faults.ts";
import type { CommentRow } from "../../presenters/comments.ts";
import { visibleFiles, type Actor } from "../access.ts";
import { selectComments } from "../comment-rows.ts";

/** The comment with its file, if the actor sees that; else a 404. */
async function loadVisibleComment(db: Db, actor: Actor, id: number): Promise<{ comment: CommentRow; file: Row<"files"> }> {
  const comment = await selectComments(db).where("comments.id", "=", id).executeTakeFirst();
  const file = comment && (await visibleFiles(db, actor).selectAll("files").where("files.id", "=", comment.file_id).executeTakeFirst());
  if (!comment || !file) throw notFound("comment");
  return { comment, file };
}

/** The same once this transaction is its project's only writer. */
export async function lockComment(tx: Tx, events: EventLog, actor: Actor, id: number): Promise<{ comment: CommentRow; file: Row<"files"> }> {
  const { comment } = await loadVisibleComment(tx, actor, id);
  await events.lock(tx, topicOf.project(comment.project_id));
  return loadVisibleComment(tx, actor, id);
}

/** Deleted ones stay where living replies belong to them. */
const isListed = sql<boolean>`(comments.deleted_at is null or exists (
  select 1 from comments replies where replies.parent_id = comments.id and replies.deleted_at is null))`;

/** Oldest first. Of the deleted ones only those that living replies belong to. */
export async function loadCommentsAfter(db: Db, fileId: number, after: number, limit: number): Promise<{ rows: CommentRow[]; hasMore: boolean }> {
  const rows = await selectComments(db)
    .where("comments.file_id", "=", fileId)
    .where("comments.id", ">", after)
    .where(isListed)
    .orderBy("comments.id")
    .limit(limit + 1)
    .execute();
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** How many a reader is shown: what was deleted takes no room. */
export async function countComments(db: Db, fileId: number): Promise<number> {
  const { count } = await db
    .selectFrom("comments")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("file_id", "=", fileId)
    .where(isListed)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const findByClientId = (
  db: Db,
  accountId: number,
  fileId: number,
  clientId: string,
): Promise<Pick<Row<"comments">, "id" | "request_hash"> | undefined> =>
  db
    .selectFrom("comments")
    .select(["id", "request_hash"])
    .where("account_id", "=", accountId)
    .where("file_id", "=", fileId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();

/** The newest comment of a file, also where that one is deleted; 0 for none. */
export async function findNewestId(db: Db, fileId: number): Promise<number> {
  const row = await db.selectFrom("comments").select("id").where("file_id", "=", fileId).orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}
