/** What the events about comments carry. They stand apart: a client that shows no file's page needs none of them at its start. */
import { comment, commentsRead } from "./comment-records.ts";

export const COMMENT_EVENTS = {
  /** on project:<id>. A file's comments go and come with it, without a word here. */
  "comment.created": comment,
  /** Edited, resolved, opened again, deleted, brought back, shown in the chat. */
  "comment.updated": comment,
  /** on account:<id>. Somebody's own reading of a file's comments, or what is unread there became none or some: one was deleted or brought back. */
  "comments.read": commentsRead,
} as const;
