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
  const at = comments.findLastIndex(({ id }) => id <= comment.id);
  const known = comments[at];
  if (known?.id !== comment.id) return { ...list, comments: comments.toSpliced(at + 1, 0, comment) };
  return comment.revision > known.revision ? { ...list, comments: comments.with(at, comment) } : list;
}

/** Reading moves forward only. */
export const withRead = (list: FileComments, lastRead: number): FileComments => (lastRead > list.lastRead ? { ...list, lastRead } : list);

/** What is loaded again, and what was known before: a comment that was changed while it was under way is not set back. */
export function reloaded(known: FileComments | undefined, loaded: FileComments): FileComments {
  const newer = new Map(known?.comments.map((one) => [one.id, one]));
  const comments = loaded.comments.map((one) => {
    const before = newer.get(one.id);
    return before && before.revision > one.revision ? before : one;
  });
  return { comments, lastRead: Math.max(loaded.lastRead, known?.lastRead ?? 0) };
}

/** Whether somebody else has written it since one has looked. */
export const isUnread = (comment: Comment, lastRead: number, readerId: number): boolean =>
  comment.id > lastRead && comment.account_id !== readerId && !comment.deleted;
