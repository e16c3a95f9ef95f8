/** SQL for comments: those of files visible to the actor, and those that messages show. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { type Actor, visibleFiles } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import { loadCommentAttachments } from "../files/attachments.ts";
import type { FileViewDeps } from "../files/deps.ts";
import type { FilePresenters } from "../files/presenter.ts";
import { type CommentRow, type CommentView, presentComment } from "./comment-presenter.ts";
import { redactComment } from "./redact.ts";

export type CommentUpdate = Partial<Pick<Row<"comments">, "body" | "edited_at" | "resolved_at" | "resolved_by" | "deleted_at" | "deleted_by">>;

/** Length of the excerpt that a message shows. */
const EXCERPT_CHARACTERS = 200;

/** A comment that a chat message shows. */
export interface SharedComment {
  id: number;
  file_id: number;
  file_name: string;
  version: number;
  /** For a reply: the values of its parent comment. */
  position_ms: number | null;
  end_ms: number | null;
  account_id: number;
  excerpt: string;
  /** When the comment or its file was deleted. */
  deleted_at: number | null;
}

/** Selects comments with their author and the message that shows them. */
const selectComments = (db: Db) =>
  db
    .selectFrom("comments")
    .innerJoin("accounts", "accounts.id", "comments.account_id")
    .selectAll("comments")
    .select("accounts.username")
    .select(sql<number | null>`(select max(shown.id) from messages shown where shown.comment_id = comments.id and shown.deleted_at is null)`.as("message_id"));

/** Locks the project's topic, which makes this transaction its only writer, and then reloads the comment and its file. */
export async function lockComment(tx: Tx, events: EventLog, actor: Actor, id: number): Promise<{ comment: CommentRow; file: Row<"files"> }> {
  const { comment } = await loadVisibleComment(tx, actor, id);
  await events.lock(tx, topicOf.project(comment.project_id));
  const locked = await loadVisibleComment(tx, actor, id);
  rememberFormerRows(tx, "comment", [locked.comment]);
  return locked;
}

/** Returns the comment with its file; throws a 404 unless the actor sees the file. */
async function loadVisibleComment(db: Db, actor: Actor, id: number): Promise<{ comment: CommentRow; file: Row<"files"> }> {
  const comment = await selectComments(db).where("comments.id", "=", id).executeTakeFirst();
  const file = comment && (await visibleFiles(db, actor).selectAll("files").where("files.id", "=", comment.file_id).executeTakeFirst());
  if (!comment || !file) throw notFound("comment");
  return { comment, file };
}

/**
 * Returns comments after this id, oldest first; deleted comments are included only while they have replies that are not deleted. Reads the index of comments
 * that are not deleted, since there may be any number of others.
 */
export function loadCommentsAfter(db: Db, fileId: number, after: number, limit: number): Promise<CommentRow[]> {
  const undeletedIds = sql`select id from comments where file_id = ${fileId} and deleted_at is null and id > ${after} order by id limit ${limit}`;
  const repliedIds = sql`select distinct parent_id from comments
    where file_id = ${fileId} and deleted_at is null and parent_id > ${after} order by parent_id limit ${limit}`;
  const listedIds = sql<number>`(select listed.id from (
    select undeleted.id from (${undeletedIds}) undeleted union select replied.parent_id from (${repliedIds}) replied
  ) listed order by listed.id limit ${limit})`;
  return selectComments(db).where("comments.id", "in", listedIds).orderBy("comments.id").execute();
}

/** Returns whether the file has as many comments as it can have. Deleted ones do not count. */
export async function hasMaxComments(db: Db, fileId: number): Promise<boolean> {
  const { count } = await db
    .selectFrom(
      db.selectFrom("comments").select("id").where("file_id", "=", fileId).where("deleted_at", "is", null).limit(LIMITS.comments_per_file).as("counted"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count >= LIMITS.comments_per_file;
}

export const findCommentByClientId = (
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

/** Returns the id of the file's newest comment, deleted ones included; 0 if there is none. */
export async function findNewestCommentId(db: Db, fileId: number): Promise<number> {
  const row = await db.selectFrom("comments").select("id").where("file_id", "=", fileId).orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

export const loadCommentRow = (db: Db, id: number): Promise<CommentRow> => selectComments(db).where("comments.id", "=", id).executeTakeFirstOrThrow();

/** Loads the mentions and attachments of comments with at most two queries for any number of them. */
export async function completeComments(db: Db, present: FilePresenters, rows: readonly CommentRow[]): Promise<CommentView[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const related = await db
    .selectFrom("comment_mentions")
    .select(["comment_id", "account_id"])
    .where("comment_id", "in", padIds(ids))
    .unionAll(
      db
        .selectFrom("comment_attachments")
        .select(["comment_id", sql<number>`0`.as("account_id")])
        .where("comment_id", "in", padIds(ids))
        .where("position", "=", 0),
    )
    .orderBy("account_id")
    .execute();
  const mentions = Map.groupBy(
    related.filter(({ account_id }) => account_id !== 0),
    ({ comment_id }) => comment_id,
  );
  const withAttachments = related.flatMap(({ account_id, comment_id }) => (account_id === 0 ? comment_id : []));
  const attachments = await loadCommentAttachments(db, present, withAttachments);
  return rows.map((row) => ({
    ...row,
    mentions: (mentions.get(row.id) ?? []).map(({ account_id }) => account_id),
    attachments: attachments.get(row.id) ?? [],
  }));
}

export const hasCommentAttachments = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom("comment_attachments").select("file_id").where("comment_id", "=", id).limit(1).executeTakeFirst()) !== undefined;

export async function loadCommentView(db: Db, present: FilePresenters, id: number): Promise<CommentView> {
  const [view] = await completeComments(db, present, [await loadCommentRow(db, id)]);
  return view!;
}

/** Updates the comment and publishes it to the project, whose topic the caller must have locked. Redacts replaced or deleted text from stored events. */
export async function updateComment(
  tx: Tx,
  { events, present }: Pick<FileViewDeps, "events" | "present">,
  id: number,
  changes: CommentUpdate,
): Promise<CommentView> {
  await tx
    .updateTable("comments")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1) }))
    .where("id", "=", id)
    .execute();
  const row = await loadCommentView(tx, present, id);
  const comment = presentComment(row);
  if ("body" in changes || "deleted_at" in changes) await redactComment(tx, comment);
  await events.append(tx, topicOf.project(row.project_id), "comment.updated", comment, { commentId: id });
  return row;
}

/** Returns the current state of comments by id with one query. Permanently erased comments are missing. */
export async function loadSharedComments(db: Db, ids: readonly number[]): Promise<Map<number, SharedComment>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("comments")
    .innerJoin("files", "files.id", "comments.file_id")
    .leftJoin("comments as roots", "roots.id", "comments.parent_id")
    .select(["comments.id", "comments.file_id", "comments.version", "comments.account_id", "files.name as file_name"])
    .select([
      sql<number | null>`coalesce(roots.position_ms, comments.position_ms)`.as("position_ms"),
      sql<number | null>`coalesce(roots.end_ms, comments.end_ms)`.as("end_ms"),
      sql<string>`substr(comments.body, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("excerpt"),
      sql<number | null>`coalesce(comments.deleted_at, files.deleted_at)`.as("deleted_at"),
    ])
    .where("comments.id", "in", padIds(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
