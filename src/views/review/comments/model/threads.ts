/** What the list shows: each comment with its replies, and what is still on its way out in the place where it will stand. */
import type { Comment } from "../../../../../contract/comment-records.ts";
import type { OutboxEntry } from "../../../../queries/outbox/outbox.ts";

/** A comment or a reply, with the service or not yet. */
export interface CommentItem {
  /** Stays the same when the service takes it. */
  key: string;
  accountId: number;
  body: string;
  /** Milliseconds of the sound or film; null: the whole file is meant. */
  startMs: number | null;
  /** Where a range ends. */
  endMs: number | null;
  version: number;
  createdAt: string | number;
  /** null: it is not with the service. */
  comment: Comment | null;
  /** null: it is. */
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
 * `comments` by id. What has arrived is shown once; a deleted comment stays, without its words, for as long as it has replies.
 * `activeIds`: ids of comments that somebody is changing or answering here, which stay for as long.
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
  // Its thread is gone: what was written stays in sight until its writer decides.
  const orphans = pendingItems.filter(({ parentId }) => parentId === null || !rootIds.has(parentId)).map(({ item }): Thread => ({ ...item, replies: [] }));
  return sortByTime([...roots, ...orphans]);
}

/** By their place in the sound; those of the whole file behind all others. Of the same place: as they were written, which is how they come. */
export function sortByTime<T extends Pick<CommentItem, "startMs">>(items: readonly T[]): T[] {
  const sortPosition = ({ startMs }: Pick<CommentItem, "startMs">) => startMs ?? Number.POSITIVE_INFINITY;
  return items.toSorted((a, b) => (sortPosition(a) === sortPosition(b) ? 0 : sortPosition(a) - sortPosition(b)));
}

export const isResolved = ({ comment }: CommentItem): boolean => comment !== null && comment.resolved_at !== null;

/** Nobody waits for anything in it: a comment that was deleted cannot be resolved any more. */
export const isResolvedOrDeleted = (item: CommentItem): boolean => isResolved(item) || item.comment?.deleted === true;

/** A comment and its replies. */
export const threadItems = (thread: Thread): readonly CommentItem[] => [thread, ...thread.replies];
