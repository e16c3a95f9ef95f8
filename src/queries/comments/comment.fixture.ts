/** Builds comments for tests: by default an open one at its own second, by account 1, on version 1 of file 7. */
import type { Comment } from "../../../contract/comment-records.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";

export function buildComment(id: number, changes: Partial<Comment> = {}): Comment {
  return {
    object: "comment",
    id,
    file_id: 7,
    project_id: 1,
    version: 1,
    position_ms: id * 1_000,
    end_ms: null,
    parent_comment_id: null,
    account_id: 1,
    account: { id: 1, username: "Ana" },
    body: `comment ${id}`,
    created_at: new Date(Date.UTC(2026, 10, 17, 9) + id * 60_000).toISOString(),
    edited_at: null,
    resolved_at: null,
    resolved_by_account_id: null,
    deleted: false,
    revision: 1,
    client_id: null,
    message_id: null,
    ...changes,
  };
}

export function buildPendingComment(
  clientId: string,
  comment: Partial<NonNullable<OutboxEntry["comment"]>> = {},
  changes: Partial<OutboxEntry> = {},
): OutboxEntry {
  return {
    clientId,
    projectId: 1,
    accountId: 1,
    body: clientId,
    uploads: [],
    quote: null,
    comment: { fileId: 7, version: 1, at: null, end: null, parentId: null, ...comment },
    writtenAt: 0,
    order: 0,
    state: "waiting",
    isDelayed: false,
    error: null,
    afterId: null,
    isPersisted: true,
    ...changes,
  };
}
