/** What answers and the live channel tell of comments goes into every place that shows them, or that there are some. */
import type { QueryClient } from "@tanstack/react-query";
import { COMMENT_EVENTS } from "../../../contract/comment-events.ts";
import type { Comment, CommentsRead } from "../../../contract/comment-records.ts";
import type { LiveEvent } from "../../../contract/events.ts";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { writeComment } from "../../api/comments.ts";
import { changeAttachments } from "../files/cache.ts";
import { fileKeys } from "../files/keys.ts";
import { tellFileNews } from "../files/news.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { patchComments } from "./cache.ts";
import type { CommentPlace, OutboxEntry } from "../outbox/outbox.ts";
import { commentKeys } from "./keys.ts";
import { isUnread, withComment, withRead, type FileComments } from "./list.ts";

/** A comment as its writer was answered, or as somebody changed it. */
export function putComment(client: QueryClient, comment: Comment): void {
  patchComments(client, comment.file_id, (list) => withComment(list, comment));
  const { newest } = marksOf(client);
  if (comment.deleted && newest.get(comment.file_id) === comment.id) newest.delete(comment.file_id);
}

/** Sends a comment of the outbox and shows it where it belongs. Rejects with what the service said. */
export async function sendComment(client: QueryClient, entry: OutboxEntry, place: CommentPlace): Promise<Comment> {
  const { fileId, version, at, end, parentId } = place;
  const where = parentId === null ? { version, position_ms: at, end_ms: end } : { parent_comment_id: parentId };
  // Another tab may have changed who is signed in.
  const comment = await writeComment(fileId, { body: entry.body, client_id: entry.clientId, ...where }, { accountId: entry.accountId });
  putComment(client, comment);
  return comment;
}

/** Applies an event about comments. Types and shapes that this client does not know change nothing. */
export function hear(client: QueryClient, { type, data }: LiveEvent, readerId: number): void {
  const written = type.startsWith("comment.") ? COMMENT_EVENTS["comment.updated"].safeParse(data).data : undefined;
  if (type === "comment.created" && written) putCreated(client, written, readerId);
  if (type === "comment.updated" && written) putComment(client, written);
  const read = type === "comments.read" ? COMMENT_EVENTS[type].safeParse(data).data : undefined;
  if (read) putRead(client, read);
}

/** Somebody has written. */
export function putCreated(client: QueryClient, comment: Comment, readerId: number): void {
  putComment(client, comment);
  const { file_id } = comment;
  const known = client.getQueryData<FileComments>(commentKeys.file(file_id))?.lastRead ?? 0;
  const { read, newest } = marksOf(client);
  if (!isUnread(comment, Math.max(known, read.get(file_id) ?? 0), readerId)) return;
  newest.set(file_id, Math.max(comment.id, newest.get(file_id) ?? 0));
  showUnread(client, file_id, true);
}

/** This person has read, here or elsewhere. */
export function putRead(client: QueryClient, { file_id, last_read_comment_id, has_unread_comments }: CommentsRead): void {
  const { read, newest } = marksOf(client);
  const before = read.get(file_id) ?? 0;
  // A late word of an earlier reading.
  if (last_read_comment_id < before) return;
  read.set(file_id, last_read_comment_id);
  patchComments(client, file_id, (list) => withRead(list, last_read_comment_id));
  // What was written since may have been told before.
  showUnread(client, file_id, has_unread_comments || (newest.get(file_id) ?? 0) > last_read_comment_id);
}

/** By file, since this cache began: how far it was read, so that news that comes again finds it read, and the newest that somebody else wrote. */
interface Marks {
  read: Map<number, number>;
  newest: Map<number, number>;
}
const marks = new WeakMap<QueryClient, Marks>();
function marksOf(client: QueryClient): Marks {
  const known = marks.get(client) ?? { read: new Map(), newest: new Map() };
  marks.set(client, known);
  return known;
}

/** The dot beside the file, wherever it is listed. */
function showUnread(client: QueryClient, fileId: number, has: boolean): void {
  patchAllHistories(client, (history) =>
    changeAttachments(history, fileId, (known) => (known.has_unread_comments === has ? known : { ...known, has_unread_comments: has })),
  );
  client.setQueryData<FileInfoAnswer>(fileKeys.info(fileId), (info) =>
    info && info.common.has_unread_comments !== has ? { ...info, common: { ...info.common, has_unread_comments: has } } : info,
  );
  tellFileNews(client, { type: "unread", id: fileId, has });
}
