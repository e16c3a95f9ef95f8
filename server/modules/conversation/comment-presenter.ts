/** Presents comments as wire records, for responses and live events. */
import type * as wire from "../../../contract/comment-records.ts";
import type { Attachment } from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

/** A comment with its author's name and the message that shows it. */
export type CommentRow = Row<"comments"> & { username: string; message_id: number | null };
export interface CommentView extends CommentRow {
  /** Account ids. */
  mentions: number[];
  attachments: Attachment[];
}
/** A reader's position in a file's comments, and whether others have commented after it. */
export interface ReadPosition {
  fileId: number;
  projectId: number;
  lastRead: number;
  hasUnread: boolean;
}

/** A deleted comment keeps its position and loses its text and attachments. */
export const presentComment = (row: CommentView): wire.Comment => ({
  object: "comment",
  id: row.id,
  file_id: row.file_id,
  project_id: row.project_id,
  version: row.version,
  position_ms: row.position_ms,
  end_ms: row.end_ms,
  parent_comment_id: row.parent_id,
  account_id: row.account_id,
  account: { id: row.account_id, username: row.username },
  body: row.deleted_at === null ? row.body : "",
  created_at: iso(row.created_at),
  edited_at: isoOrNull(row.edited_at),
  resolved_at: isoOrNull(row.resolved_at),
  resolved_by_account_id: row.resolved_by,
  deleted: row.deleted_at !== null,
  revision: row.revision,
  client_id: row.client_id,
  message_id: row.message_id,
  mentions: row.deleted_at === null ? row.mentions : [],
  attachments: row.deleted_at === null ? row.attachments : [],
});

export const presentReadPosition = ({ fileId, projectId, lastRead, hasUnread }: ReadPosition): wire.CommentsRead => ({
  file_id: fileId,
  project_id: projectId,
  last_read_comment_id: lastRead,
  has_unread_comments: hasUnread,
});
