/** A file's cached comments: sorted by id, deleted ones kept without their text, each at its newest known revision. */
import type { Comment } from "../../../contract/comment-records.ts";
import type { Attachment } from "../../../contract/records.ts";

export const commentKeys = {
  all: ["comments"] as const,
  file: (fileId: number) => ["comments", fileId] as const,
};

export interface FileComments {
  comments: readonly Comment[];
  /** Id of the newest comment that the user has read; 0 for none. */
  lastReadId: number;
}

/** Inserts or replaces a comment from any source; an older revision never replaces a newer one, so the order of arrival does not matter. */
export function withComment(list: FileComments, comment: Comment): FileComments {
  const { comments } = list;
  const index = comments.findLastIndex(({ id }) => id <= comment.id);
  const existing = comments[index];
  if (existing?.id !== comment.id) return { ...list, comments: comments.toSpliced(index + 1, 0, comment) };
  return comment.revision > existing.revision ? { ...list, comments: comments.with(index, comment) } : list;
}

/** Moves the read position, which never goes back. */
export const withLastReadId = (list: FileComments, lastReadId: number): FileComments => (lastReadId > list.lastReadId ? { ...list, lastReadId } : list);

/** Updates a file's attachments; an update that returns its argument leaves the list unchanged. */
export function withAttachments(list: FileComments, fileId: number, update: (attachment: Attachment) => Attachment): FileComments {
  let isChanged = false;
  const comments = list.comments.map((comment) => {
    if (!comment.attachments?.some(({ id }) => id === fileId)) return comment;
    const attachments = comment.attachments.map((attachment) => (attachment.id === fileId ? update(attachment) : attachment));
    if (attachments.every((attachment, index) => attachment === comment.attachments?.[index])) return comment;
    isChanged = true;
    return { ...comment, attachments };
  });
  return isChanged ? { ...list, comments } : list;
}

/** Merges a reload with the cached list, and keeps a cached comment whose revision is newer than the loaded one. */
export function mergeReloaded(existing: FileComments | undefined, loaded: FileComments): FileComments {
  const existingById = new Map(existing?.comments.map((comment) => [comment.id, comment]));
  const comments = loaded.comments.map((comment) => {
    const cached = existingById.get(comment.id);
    return cached && cached.revision > comment.revision ? cached : comment;
  });
  return { comments, lastReadId: Math.max(loaded.lastReadId, existing?.lastReadId ?? 0) };
}

/** Returns true for an undeleted comment that somebody else wrote after `lastReadId`. */
export const isUnread = (comment: Comment, lastReadId: number, readerId: number): boolean =>
  comment.id > lastReadId && comment.account_id !== readerId && !comment.deleted;
