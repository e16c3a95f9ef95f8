/** What people say about a file: at a point of a version, over a stretch of it, or about all of it. */
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

const milliseconds = z.nullable(z.int().check(z.nonnegative()));

/**
 * Positions are whole milliseconds of media time. `position_ms` null: about the file as a whole. `end_ms` only beside a position, and after it.
 * A reply (`parent_comment_id`) belongs to a comment that is none itself, has its version, and no position of its own.
 */
export const comment = z.looseObject({
  object: z.literal("comment"),
  id,
  file_id: id,
  project_id: id,
  /** Number of the version that it is about. */
  version: z.int(),
  position_ms: milliseconds,
  end_ms: milliseconds,
  parent_comment_id: z.nullable(id),
  account_id: id,
  /** Who wrote it, also where they are no member any more. */
  account: z.looseObject({ id, username: z.string() }),
  /** Plain text; "" once it is deleted. */
  body: z.string(),
  created_at: timestamp,
  edited_at: z.nullable(timestamp),
  resolved_at: z.nullable(timestamp),
  resolved_by_account_id: z.nullable(id),
  deleted: z.boolean(),
  /** Grows with each change: of two records the one with the higher revision is the newer. */
  revision: z.int(),
  /** Its writer's own name for it: pairs the optimistic row, in answers and live events alike. */
  client_id: z.nullable(z.string()),
  /** The chat message that shows it. */
  message_id: z.nullable(id),
});
export type Comment = z.infer<typeof comment>;

/** How far somebody has read a file's comments; 0: nothing yet. */
export const commentsRead = z.looseObject({ file_id: id, project_id: id, last_read_comment_id: z.int(), has_unread_comments: z.boolean() });
export type CommentsRead = z.infer<typeof commentsRead>;
