/** Applies comments from responses and live events to every cache that shows them or their unread state, including loads in flight. */
import type { Comment, CommentsRead } from "../../../contract/comment-records.ts";
import { writeComment } from "../../../contract/operations/comments.ts";
import type { FileInfoResponse } from "../../../contract/records.ts";
import type { ClientData } from "../../client/client.ts";
import type { CommentTarget, OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { applyFileEvent } from "../file-lists/cache-updates.ts";
import { fileKeys } from "../files/cache-updates.ts";
import { patchAllHistories } from "../messages/cache-updates.ts";
import { setUnreadDot } from "../messages/history.ts";
import { patchDataAndLoads, patchRecordingLoads } from "../query-client.ts";
import { commentKeys, type FileComments, isUnread, withComment, withLastReadId } from "./comment-list.ts";

/** Upserts a created or changed comment from a response or an event. */
export function upsertComment(client: ClientData, comment: Comment): void {
  patchRecordingLoads<FileComments>(client, commentKeys.file(comment.file_id), (list) => withComment(list, comment));
  const { newestUnreadIds } = client.queryState.commentReads;
  if (comment.deleted && newestUnreadIds.get(comment.file_id) === comment.id) newestUnreadIds.delete(comment.file_id);
}

/** Sends a comment from the outbox and upserts the result. Rejects with the service's error. */
export async function sendComment(client: ClientData, entry: OutboxEntry, target: CommentTarget, attachments: readonly number[]): Promise<Comment> {
  const { fileId, version, at, end, parentId } = target;
  const position = parentId === null ? { version, position_ms: at, end_ms: end } : { parent_comment_id: parentId };
  const files = attachments.length === 0 ? {} : { attachment_ids: [...attachments] };
  const input = { params: { file_id: fileId }, body: { body: entry.body, client_id: entry.clientId, ...position, ...files } };
  // Another tab may have changed the signed-in account.
  const comment = await client.api.data(writeComment, input, { accountId: entry.accountId });
  upsertComment(client, comment);
  return comment;
}

/** Upserts a newly created comment, and flags its file as unread when somebody else wrote it. */
export function upsertNewComment(client: ClientData, comment: Comment, readerId: number): void {
  upsertComment(client, comment);
  const { file_id } = comment;
  const cachedLastReadId = client.queryClient.getQueryData<FileComments>(commentKeys.file(file_id))?.lastReadId ?? 0;
  const { lastReadIds, newestUnreadIds } = client.queryState.commentReads;
  if (!isUnread(comment, Math.max(cachedLastReadId, lastReadIds.get(file_id) ?? 0), readerId)) return;
  newestUnreadIds.set(file_id, Math.max(comment.id, newestUnreadIds.get(file_id) ?? 0));
  setUnreadFlag(client, file_id, true);
}

/** Applies a read position that the user moved here or in another browser. */
export function applyCommentsRead(client: ClientData, { file_id, last_read_comment_id, has_unread_comments }: CommentsRead): void {
  const { lastReadIds, newestUnreadIds } = client.queryState.commentReads;
  const previousLastReadId = lastReadIds.get(file_id) ?? 0;
  // Ignores a late report of an earlier read position.
  if (last_read_comment_id < previousLastReadId) return;
  lastReadIds.set(file_id, last_read_comment_id);
  patchRecordingLoads<FileComments>(client, commentKeys.file(file_id), (list) => withLastReadId(list, last_read_comment_id));
  // The event of a newer comment may have arrived before this one.
  setUnreadFlag(client, file_id, has_unread_comments || (newestUnreadIds.get(file_id) ?? 0) > last_read_comment_id);
}

/** Sets the unread dot of a file wherever the file is listed. */
function setUnreadFlag(client: ClientData, fileId: number, hasUnread: boolean): void {
  patchAllHistories(client, (history) => setUnreadDot(history, fileId, hasUnread));
  patchDataAndLoads<FileInfoResponse>(client, fileKeys.info(fileId), (info) =>
    info && info.common.has_unread_comments !== hasUnread ? { ...info, common: { ...info.common, has_unread_comments: hasUnread } } : info,
  );
  applyFileEvent(client, { type: "unread", id: fileId, hasUnread });
}
