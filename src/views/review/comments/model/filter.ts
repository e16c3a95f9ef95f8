/** Which comments the list shows; kept in the address, so that a link shows the same. */
import { isResolvedOrDeleted, threadItems, type Thread } from "./threads.ts";

export const FILTERS = ["open", "mine", "all"] as const;
export type Filter = (typeof FILTERS)[number];

const FILTER_PARAM = "comments";
const COMMENT_PARAM = "comment";

export const parseFilter = (search: URLSearchParams): Filter => FILTERS.find((candidate) => candidate === search.get(FILTER_PARAM)) ?? "open";

/** The address with another filter. A comment that it led to is not what is looked for any more. */
export function withFilter(search: URLSearchParams, filter: Filter): URLSearchParams {
  const next = new URLSearchParams(search);
  if (filter === "open") next.delete(FILTER_PARAM);
  else next.set(FILTER_PARAM, filter);
  next.delete(COMMENT_PARAM);
  return next;
}

/** The comment that the address leads to. */
export function parseCommentId(search: URLSearchParams): number | null {
  const id = Number(search.get(COMMENT_PARAM) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export const commentPath = (fileId: number, commentId: number): string => `/files/${fileId}?${COMMENT_PARAM}=${commentId}`;

const hasComment = (thread: Thread, id: number): boolean => threadItems(thread).some(({ comment }) => comment?.id === id);
/** The thread in which a comment stands. */
export const findThread = (threads: readonly Thread[], id: number | null): Thread | undefined =>
  id === null ? undefined : threads.find((thread) => hasComment(thread, id));

interface FilterOptions {
  filter: Filter;
  accountId: number;
  /** Threads that stay whatever the filter says: one that a link leads to, one that was resolved here just now, those that somebody is at. */
  pinnedKeys: ReadonlySet<string>;
}

export function filterThreads(threads: readonly Thread[], { filter, accountId, pinnedKeys }: FilterOptions): Thread[] {
  return threads.filter((thread) => {
    if (pinnedKeys.has(thread.key) || filter === "all") return true;
    // What is not sent yet, or was refused, is never out of sight.
    if (filter === "open") return !isResolvedOrDeleted(thread) || thread.replies.some(({ entry }) => entry !== null);
    return threadItems(thread).some((item) => item.accountId === accountId && item.comment?.deleted !== true);
  });
}
