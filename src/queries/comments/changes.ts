/** Pending changes of comments, applied over the loaded comments until the service responds, so that undoing a change only removes it. */
import type { QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../contract/comment-records.ts";
import { createPendingChanges, type PendingChanges } from "../messages/changes.ts";

export type PendingCommentChange =
  | { kind: "body"; commentId: number; body: string }
  | { kind: "deleted"; commentId: number; deleted: boolean }
  | { kind: "resolved"; commentId: number; by: number; at: string | null };

const perClient = new WeakMap<QueryClient, PendingChanges<PendingCommentChange>>();

export function getPendingCommentChanges(client: QueryClient): PendingChanges<PendingCommentChange> {
  const existing = perClient.get(client) ?? createPendingChanges<PendingCommentChange>();
  perClient.set(client, existing);
  return existing;
}

/** Returns the comments with pending changes applied; the same array when there are no changes. */
export function applyCommentChanges(comments: readonly Comment[], changes: readonly PendingCommentChange[]): readonly Comment[] {
  if (changes.length === 0) return comments;
  const ids = new Set(changes.map(({ commentId }) => commentId));
  return comments.map((comment) => (ids.has(comment.id) ? changes.filter(({ commentId }) => commentId === comment.id).reduce(applyChange, comment) : comment));
}

function applyChange(comment: Comment, change: PendingCommentChange): Comment {
  // Deletion dropped the text, which only the response to the restore brings back.
  if (change.kind === "deleted") return !change.deleted && comment.body === "" ? comment : { ...comment, deleted: change.deleted };
  // A comment that was deleted meanwhile stays deleted.
  if (comment.deleted) return comment;
  if (change.kind === "body")
    return comment.body === change.body ? comment : { ...comment, body: change.body, edited_at: comment.edited_at ?? comment.created_at };
  if ((comment.resolved_at === null) === (change.at === null)) return comment;
  return { ...comment, resolved_at: change.at, resolved_by_account_id: change.at === null ? null : change.by };
}
