/** Loads and updates comments together with their author and the message that shows them. */
import { sql } from "kysely";
import type { Db, Row, Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";
import { redactComment } from "../events/unsay.ts";
import { presentComment, type CommentRow } from "../presenters/comments.ts";

export const selectComments = (db: Db) =>
  db
    .selectFrom("comments")
    .innerJoin("accounts", "accounts.id", "comments.account_id")
    .selectAll("comments")
    .select("accounts.username")
    .select(sql<number | null>`(select max(shown.id) from messages shown where shown.comment_id = comments.id and shown.deleted_at is null)`.as("message_id"));

export const loadCommentRow = (db: Db, id: number): Promise<CommentRow> => selectComments(db).where("comments.id", "=", id).executeTakeFirstOrThrow();

type Changes = Partial<Pick<Row<"comments">, "body" | "edited_at" | "resolved_at" | "resolved_by" | "deleted_at" | "deleted_by">>;

/** Updates the comment and publishes it to the project, whose topic is locked. Redacts replaced or deleted text from stored events. */
export async function updateComment(tx: Tx, events: EventLog, id: number, changes: Changes): Promise<CommentRow> {
  await tx
    .updateTable("comments")
    .set((eb) => ({ ...changes, revision: eb("revision", "+", 1) }))
    .where("id", "=", id)
    .execute();
  const row = await loadCommentRow(tx, id);
  const comment = presentComment(row);
  if ("body" in changes || "deleted_at" in changes) await redactComment(tx, comment);
  await events.append(tx, topicOf.project(row.project_id), "comment.updated", comment, { commentId: id });
  return row;
}
