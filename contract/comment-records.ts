/** Wire records of comments: on a point of a file version, on a range of it, or on the whole file. */
import * as z from "zod/mini";
import { attachment } from "./records.ts";
import { id, timestamp } from "./text.ts";

const milliseconds = z.nullable(z.int().check(z.nonnegative()));

/**
 * Positions are whole milliseconds of media time. `position_ms` is null for a comment on the whole file. `end_ms` requires `position_ms` and is
 * greater than it.
 * A reply (`parent_comment_id`) belongs to a top-level comment, has the same version, and has no position of its own.
 */
export const comment = z.looseObject({
  object: z.literal("comment"),
  id,
  file_id: id,
  project_id: id,
  /** Number of the version that the comment is about. */
  version: z.int(),
  position_ms: milliseconds,
  end_ms: milliseconds,
  parent_comment_id: z.nullable(id),
  account_id: id,
  /** The author, even when no longer a member. */
  account: z.looseObject({ id, username: z.string() }),
  /** Plain text with mentions as `<@id>`; "" once deleted, and possibly with attachments. */
  body: z.string(),
  created_at: timestamp,
  edited_at: z.nullable(timestamp),
  resolved_at: z.nullable(timestamp),
  resolved_by_account_id: z.nullable(id),
  deleted: z.boolean(),
  /** Increases with each change: of two records, the one with the higher revision is newer. */
  revision: z.int(),
  /** Id chosen by the author's client; matches the optimistic row in responses and live events. */
  client_id: z.nullable(z.string()),
  /** The chat message that shows the comment. */
  message_id: z.nullable(id),
  /** People of the project that the body mentions, as `<@id>`; events of earlier versions lack it. */
  mentions: z.optional(z.array(id)),
  /** Files that were sent with the comment, as a message has them; empty once deleted; events of earlier versions lack it. */
  attachments: z.optional(z.array(attachment)),
});
export type Comment = z.infer<typeof comment>;

/** An account's read position in a file's comments; `last_read_comment_id` is 0 when nothing is read. */
export const commentsRead = z.looseObject({ file_id: id, project_id: id, last_read_comment_id: z.int(), has_unread_comments: z.boolean() });
export type CommentsRead = z.infer<typeof commentsRead>;
