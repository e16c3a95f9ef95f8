/** A file's comments as they are cached: by id, deleted ones kept without their words, each as new as is known. */
import type { Comment } from "../../../contract/comment-records.ts";

export interface FileComments {
  comments: readonly Comment[];
  /** The newest that its reader has read; 0: none. */
  lastRead: number;
}

/** The one patch for a comment, whoever brings it: an older revision never replaces a newer one, so the order of arrival does not matter. */
export function withComment(list: FileComments, comment: Comment): FileComments {
  const { comments } = list;
  const index = comments.findLastIndex(({ id }) => id <= comment.id);
  const existing = comments[index];
  if (existing?.id !== comment.id) return { ...list, comments: comments.toSpliced(index + 1, 0, comment) };
  return comment.revision > existing.revision ? { ...list, comments: comments.with(index, comment) } : list;
}

/** Reading moves forward only. */
export const withLastRead = (list: FileComments, lastRead: number): FileComments => (lastRead > list.lastRead ? { ...list, lastRead } : list);

/** What is loaded again, and what was known before: a comment that was changed while it was under way is not set back. */
export function mergeReloaded(existing: FileComments | undefined, loaded: FileComments): FileComments {
  const existingById = new Map(existing?.comments.map((comment) => [comment.id, comment]));
  const comments = loaded.comments.map((comment) => {
    const cached = existingById.get(comment.id);
    return cached && cached.revision > comment.revision ? cached : comment;
  });
  return { comments, lastRead: Math.max(loaded.lastRead, existing?.lastRead ?? 0) };
}

/** Whether somebody else has written it since one has looked. */
export const isUnread = (comment: Comment, lastRead: number, readerId: number): boolean =>
  comment.id > lastRead && comment.account_id !== readerId && !comment.deleted;
