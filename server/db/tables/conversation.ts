/** Tables of chats, comments and what people have read of them. */
import type { Generated } from "kysely";
import type { Flag } from "./flag.ts";

export interface ConversationTables {
  messages: {
    id: Generated<number>;
    project_id: number;
    account_id: number;
    body: string;
    type: string;
    is_audio_message: Flag;
    parent_id: number | null;
    parent_account_id: number | null;
    client_id: string | null;
    /** SHA-256 of the request, to detect a reused client_id with other content. */
    request_hash: string | null;
    revision: number;
    created_at: number;
    edited_at: number | null;
    deleted_at: number | null;
    deleted_by: number | null;
    /** The comment that the message shows. */
    comment_id: Generated<number | null>;
    /** The playlist that the message shows. */
    playlist_id: Generated<number | null>;
  };
  /** Pins each attachment to the version that was sent. */
  attachments: { message_id: number; position: number; file_id: number; version_id: number };
  message_mentions: { account_id: number; project_id: number; message_id: number };
  reactions: { message_id: number; emoji: string; account_id: number; created_at: number };
  /** `comments_since`: the project's newest comment when the account joined; comments up to it count as read. */
  read_markers: { project_id: number; account_id: number; last_read_message_id: number; moved_at: number; comments_since: Generated<number> };
  /** Ids follow commit order within a project, as do those of messages. `version` is the version's number. */
  comments: {
    id: Generated<number>;
    project_id: number;
    file_id: number;
    version: number;
    position_ms: number | null;
    end_ms: number | null;
    parent_id: number | null;
    account_id: number;
    body: string;
    client_id: string | null;
    request_hash: string | null;
    revision: Generated<number>;
    created_at: number;
    edited_at: Generated<number | null>;
    resolved_at: Generated<number | null>;
    resolved_by: Generated<number | null>;
    deleted_at: Generated<number | null>;
    deleted_by: Generated<number | null>;
  };
  comment_mentions: { comment_id: number; account_id: number };
  /** Pins each attachment to the version that was sent, as `attachments` do for messages. */
  comment_attachments: { comment_id: number; position: number; file_id: number; version_id: number };
  comment_reads: { account_id: number; file_id: number; last_read_comment_id: number };
}
