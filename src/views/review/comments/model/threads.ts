/** Builds the threads of the comment list: comments with their replies, and pending comments at the position they will take. */
import type { Comment } from "../../../../../contract/comment-records.ts";
import type { OutboxEntry } from "../../../../queries/outbox/outbox.ts";

/** A comment or reply, either stored by the service or still pending. */
export interface CommentItem {
  /** Stays the same when the service stores the item. */
  key: string;
  accountId: number;
  body: string;
  /** Milliseconds; null if the comment refers to the whole file. */
  startMs: number | null;
  /** End of the range. */
  endMs: number | null;
  version: number;
  createdAt: string | number;
  /** null while the service has not stored it. */
  comment: Comment | null;
  /** null once the service has stored it. */
  entry: OutboxEntry | null;
}

export interface Thread extends CommentItem {
  replies: readonly CommentItem[];
}

const NO_IDS: ReadonlySet<number> = new Set();
const itemKey = (accountId: number, clientId: string | null, id: number | null) => (clientId === null ? `#${id}` : `${accountId}:${clientId}`);

function toItem(comment: Comment): CommentItem {
  const { id, account_id: accountId, body, position_ms: startMs, end_ms: endMs, version, created_at: createdAt, client_id } = comment;
  return { key: itemKey(accountId, client_id ?? null, id), accountId, body, startMs, endMs, version, createdAt, comment, entry: null };
}

function toPendingItem(entry: OutboxEntry): CommentItem {
  const { accountId, body, writtenAt: createdAt, clientId, comment } = entry;
  const { at: startMs = null, end: endMs = null, version = 1 } = comment ?? {};
  return { key: itemKey(accountId, clientId, null), accountId, body, startMs, endMs, version, createdAt, comment: null, entry };
}

/**
 * Merges `comments`, sorted by id, with `pending` entries. A pending entry that the service already stored appears
 * once. A deleted comment stays, without its text, while it has replies. Comments in `activeIds`, which the user is
 * editing or replying to, also stay.
 */
export function buildThreads(comments: readonly Comment[], pending: readonly OutboxEntry[], activeIds: ReadonlySet<number> = NO_IDS): Thread[] {
  const storedKeys = new Set(comments.map((comment) => itemKey(comment.account_id, comment.client_id ?? null, comment.id)));
  const pendingItems = pending
    .map((entry) => ({ item: toPendingItem(entry), parentId: entry.comment?.parentId ?? null }))
    .filter(({ item }) => !storedKeys.has(item.key));
  const repliesByParent = new Map<number, CommentItem[]>();
  const addReply = (parentId: number, item: CommentItem) => repliesByParent.set(parentId, [...(repliesByParent.get(parentId) ?? []), item]);
  for (const comment of comments)
    if (comment.parent_comment_id !== null && (!comment.deleted || activeIds.has(comment.id))) addReply(comment.parent_comment_id, toItem(comment));
  for (const { item, parentId } of pendingItems) if (parentId !== null) addReply(parentId, item);

  const roots = comments
    .filter((comment) => comment.parent_comment_id === null && (!comment.deleted || repliesByParent.has(comment.id) || activeIds.has(comment.id)))
    .map((comment): Thread => ({ ...toItem(comment), replies: repliesByParent.get(comment.id) ?? [] }));
  const rootIds = new Set(comments.flatMap(({ id, parent_comment_id }) => (parent_comment_id === null ? [id] : [])));
  // Replies whose thread is gone become threads of their own, so that the author can decide what to do with the text.
  const orphans = pendingItems.filter(({ parentId }) => parentId === null || !rootIds.has(parentId)).map(({ item }): Thread => ({ ...item, replies: [] }));
  return sortByTime([...roots, ...orphans]);
}

/** Sorts by position, with comments on the whole file last. Items at the same position keep their input order. */
export function sortByTime<T extends Pick<CommentItem, "startMs">>(items: readonly T[]): T[] {
  const sortPosition = ({ startMs }: Pick<CommentItem, "startMs">) => startMs ?? Number.POSITIVE_INFINITY;
  return items.toSorted((a, b) => (sortPosition(a) === sortPosition(b) ? 0 : sortPosition(a) - sortPosition(b)));
}

export const isResolved = ({ comment }: CommentItem): boolean => comment !== null && comment.resolved_at !== null;

/** True if the thread needs no more action. A deleted comment cannot be resolved. */
export const isResolvedOrDeleted = (item: CommentItem): boolean => isResolved(item) || item.comment?.deleted === true;

/** A comment and its replies. */
export const threadItems = (thread: Thread): readonly CommentItem[] => [thread, ...thread.replies];
