/** Which comments the list shows; kept in the address, so that a link shows the same. */
import { isSettled, notesOf, type Thread } from "./threads.ts";

export const FILTERS = ["open", "mine", "all"] as const;
export type Filter = (typeof FILTERS)[number];

const NAME = "comments";
const LINK = "comment";

export const filterIn = (search: URLSearchParams): Filter => FILTERS.find((one) => one === search.get(NAME)) ?? "open";

/** The address with another filter. A comment that it led to is not what is looked for any more. */
export function withFilter(search: URLSearchParams, filter: Filter): URLSearchParams {
  const next = new URLSearchParams(search);
  if (filter === "open") next.delete(NAME);
  else next.set(NAME, filter);
  next.delete(LINK);
  return next;
}

/** The comment that the address leads to. */
export function linkedIn(search: URLSearchParams): number | null {
  const id = Number(search.get(LINK) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export const pathOf = (fileId: number, commentId: number): string => `/files/${fileId}?${LINK}=${commentId}`;

const holds = (thread: Thread, id: number): boolean => notesOf(thread).some(({ comment }) => comment?.id === id);
/** The thread in which a comment stands. */
export const threadWith = (threads: readonly Thread[], id: number | null): Thread | undefined =>
  id === null ? undefined : threads.find((thread) => holds(thread, id));

interface Wish {
  filter: Filter;
  accountId: number;
  /** Threads that stay whatever the filter says: one that a link leads to, one that was resolved here just now, those that somebody is at. */
  held: ReadonlySet<string>;
}

export function filtered(threads: readonly Thread[], { filter, accountId, held }: Wish): Thread[] {
  return threads.filter((thread) => {
    if (held.has(thread.key) || filter === "all") return true;
    // What is not sent yet, or was refused, is never out of sight.
    if (filter === "open") return !isSettled(thread) || thread.replies.some(({ entry }) => entry !== null);
    return notesOf(thread).some((note) => note.accountId === accountId && note.comment?.deleted !== true);
  });
}
