/** Filters the comment list. The filter is stored in the URL, so that a link shows the same comments. */
import { isResolvedOrDeleted, threadItems, type Thread } from "./threads.ts";

export const FILTERS = ["open", "mine", "all"] as const;
export type Filter = (typeof FILTERS)[number];

const FILTER_PARAM = "comments";
const COMMENT_PARAM = "comment";

export const parseFilter = (search: URLSearchParams): Filter => FILTERS.find((candidate) => candidate === search.get(FILTER_PARAM)) ?? "open";

/** Returns the search params with another filter and without the linked comment. */
export function withFilter(search: URLSearchParams, filter: Filter): URLSearchParams {
  const next = new URLSearchParams(search);
  if (filter === "open") next.delete(FILTER_PARAM);
  else next.set(FILTER_PARAM, filter);
  next.delete(COMMENT_PARAM);
  return next;
}

/** Returns the id of the comment named in the URL. */
export function parseCommentId(search: URLSearchParams): number | null {
  const id = Number(search.get(COMMENT_PARAM) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export const commentPath = (fileId: number, commentId: number): string => `/files/${fileId}?${COMMENT_PARAM}=${commentId}`;

const hasComment = (thread: Thread, id: number): boolean => threadItems(thread).some(({ comment }) => comment?.id === id);
/** Returns the thread that contains a comment. */
export const findThread = (threads: readonly Thread[], id: number | null): Thread | undefined =>
  id === null ? undefined : threads.find((thread) => hasComment(thread, id));

interface FilterOptions {
  filter: Filter;
  accountId: number;
  /** Keys of threads that stay visible under any filter: linked, just resolved here, or in use by the user. */
  pinnedKeys: ReadonlySet<string>;
}

export function filterThreads(threads: readonly Thread[], { filter, accountId, pinnedKeys }: FilterOptions): Thread[] {
  return threads.filter((thread) => {
    if (pinnedKeys.has(thread.key) || filter === "all") return true;
    // Unsent and rejected items always stay visible.
    if (filter === "open") return !isResolvedOrDeleted(thread) || thread.replies.some(({ entry }) => entry !== null);
    return threadItems(thread).some((item) => item.accountId === accountId && item.comment?.deleted !== true);
  });
}
