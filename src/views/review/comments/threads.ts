/** Models the comment list: threads of comments with their replies, the filter, and what the user can do with each comment. */
import type { Comment } from "../../../../contract/comment-records.ts";
import { authorFacts } from "../../../../contract/policy.ts";
import { can, type CurrentUser } from "../../../queries/permissions.ts";
import { parseMentions, toEditableText } from "../../../sync/drafts/draft-text.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";

/** The filters of the comment list. The chosen one is stored in the URL, so that a link shows the same comments. */
export const FILTERS = ["open", "mine", "all"] as const;
export type Filter = (typeof FILTERS)[number];

const FILTER_PARAM = "comments";
const COMMENT_PARAM = "comment";

const NO_IDS: ReadonlySet<number> = new Set();

/** A comment or reply, either stored by the service or still pending. */
export interface CommentItem {
  /** Stays the same when the service stores the item. */
  key: string;
  accountId: number;
  body: string;
  /** Milliseconds; null if the comment refers to the whole file. */
  startMs: number | null;
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

/**
 * Builds the threads, with pending comments at the position they will take. Merges `comments`, sorted by id, with `pending` entries; an entry that the
 * service already stored appears once. A deleted comment stays, without its text, while it has replies. Comments in `activeIds`, which the user is
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
  // Comments on the whole file come last, those at the same position in the order of writing.
  return [...roots, ...orphans].toSorted((a, b) => (a.startMs ?? Number.MAX_SAFE_INTEGER) - (b.startMs ?? Number.MAX_SAFE_INTEGER));
}

function toItem(comment: Comment): CommentItem {
  const { id, account_id: accountId, body, position_ms: startMs, end_ms: endMs, version, created_at: createdAt, client_id } = comment;
  return { key: itemKey(accountId, client_id ?? null, id), accountId, body, startMs, endMs, version, createdAt, comment, entry: null };
}

function toPendingItem(entry: OutboxEntry): CommentItem {
  const { accountId, body, writtenAt: createdAt, clientId, comment } = entry;
  const { at: startMs = null, end: endMs = null, version = 1 } = comment ?? {};
  return { key: itemKey(accountId, clientId, null), accountId, body, startMs, endMs, version, createdAt, comment: null, entry };
}

const itemKey = (accountId: number, clientId: string | null, id: number | null) => (clientId === null ? `#${id}` : `${accountId}:${clientId}`);

/** Returns the text with the names of mentioned people, or the name of the first file of a comment without text. */
export const plainText = ({ body, comment }: Pick<CommentItem, "body" | "comment">, nameOf: (accountId: number) => string): string =>
  toEditableText(body, comment?.mentions ?? parseMentions(body), nameOf).text || (comment?.attachments?.[0]?.name ?? "");

export const isResolved = ({ comment }: CommentItem): boolean => comment !== null && comment.resolved_at !== null;

/** True if the thread needs no more action. A deleted comment cannot be resolved. */
export const isResolvedOrDeleted = (item: CommentItem): boolean => isResolved(item) || item.comment?.deleted === true;

export const threadItems = (thread: Thread): readonly CommentItem[] => [thread, ...thread.replies];

export const parseFilter = (search: URLSearchParams): Filter => FILTERS.find((candidate) => candidate === search.get(FILTER_PARAM)) ?? "open";

/** Returns the search params with another filter and without the linked comment. */
export function withFilter(search: URLSearchParams, filter: Filter): URLSearchParams {
  const next = new URLSearchParams(search);
  if (filter === "open") next.delete(FILTER_PARAM);
  else next.set(FILTER_PARAM, filter);
  next.delete(COMMENT_PARAM);
  return next;
}

export function parseCommentId(search: URLSearchParams): number | null {
  const id = Number(search.get(COMMENT_PARAM) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export const commentPath = (fileId: number, commentId: number): string => `/files/${fileId}?${COMMENT_PARAM}=${commentId}`;

export const findThread = (threads: readonly Thread[], id: number | null): Thread | undefined =>
  id === null ? undefined : threads.find((thread) => hasComment(thread, id));

const hasComment = (thread: Thread, id: number): boolean => threadItems(thread).some(({ comment }) => comment?.id === id);

/** Filters the threads. Those with `pinnedKeys` stay: linked, just resolved here, or in use by the user. */
export function filterThreads(
  threads: readonly Thread[],
  { filter, accountId, pinnedKeys }: { filter: Filter; accountId: number; pinnedKeys: ReadonlySet<string> },
): Thread[] {
  return threads.filter((thread) => {
    if (pinnedKeys.has(thread.key) || filter === "all") return true;
    // Unsent and rejected items always stay visible.
    if (filter === "open") return !isResolvedOrDeleted(thread) || thread.replies.some(({ entry }) => entry !== null);
    return threadItems(thread).some((item) => item.accountId === accountId && item.comment?.deleted !== true);
  });
}

export type CommentPermissions = ReturnType<typeof commentPermissions>;

/** Returns what to offer for a comment; nothing for one that is not sent or was deleted. Only threads can be resolved, not replies. */
export function commentPermissions({ comment }: CommentItem, user: CurrentUser) {
  if (comment === null || comment.deleted) return { canReply: false, canEdit: false, canDelete: false, canResolve: false, canPost: false };
  const facts = authorFacts(comment, user.accountId);
  return {
    canReply: can(user, "comment.write"),
    canEdit: can(user, "comment.edit", { ...facts, isResolving: false }),
    canDelete: can(user, "comment.delete", facts),
    canResolve: comment.parent_comment_id === null && can(user, "comment.edit", { ...facts, isResolving: true }),
    /** Posts the comment in the project's chat. */
    canPost: can(user, "chat.write"),
  };
}
