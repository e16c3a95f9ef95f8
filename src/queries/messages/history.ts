/** One loaded stretch of a project's chat: contiguous, ascending by id, deleted messages kept as tombstones. */
import type { Message } from "../../../contract/records.ts";
import { requote } from "./quotes.ts";

export interface History {
  messages: readonly Message[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  /** Newest id up to which nothing is missing. An answer to the writer may stand above it until the events in between arrive. */
  through: number;
}

/** Where a stretch begins: at the end of the chat, or around one message. */
export type Anchor = "latest" | `around:${number}`;

/** Messages asked for at once. */
export const PAGE_SIZE = 100;
/** Messages kept in one stretch: 20 pages. */
export const WINDOW_SIZE = 2_000;

/** The answer of `chat_history` as far as the client needs it. */
export interface HistoryAnswer {
  data: readonly Message[];
  has_more_before?: boolean | undefined;
  has_more_after?: boolean | undefined;
}

/**
 * A service that offers only the documented operation tells nothing about more pages and cannot page:
 * then there is nothing before or after.
 */
export function toHistory(answer: HistoryAnswer): History {
  const messages = ascending(answer.data);
  return {
    messages,
    hasMoreBefore: answer.has_more_before ?? false,
    hasMoreAfter: answer.has_more_after ?? false,
    through: messages.at(-1)?.id ?? 0,
  };
}

/** Puts an older page in front. Whatever reached the stretch while the page was under way stays. */
export function prependPage(history: History, answer: HistoryAnswer): History {
  const first = history.messages[0];
  const older = ascending(answer.data).filter((message) => first === undefined || message.id < first.id);
  return {
    ...history,
    messages: older.length > 0 ? [...older, ...history.messages] : history.messages,
    hasMoreBefore: older.length > 0 && (answer.has_more_before ?? false),
  };
}

/** Puts a newer page behind. */
export function appendPage(history: History, answer: HistoryAnswer): History {
  const page = ascending(answer.data);
  const merged = page.reduce((known, message) => place(known, message), history.messages);
  return {
    ...history,
    messages: merged,
    hasMoreAfter: page.length > 0 && (answer.has_more_after ?? false),
    through: Math.max(history.through, page.at(-1)?.id ?? 0),
  };
}

/**
 * The one patch for a message, whoever brings it: an event, the answer to its writer, a poll.
 * An older revision never replaces a newer one, so the order of arrival does not matter.
 */
export function upsertMessage(history: History, news: Message): History {
  const { messages } = history;
  const message = asRead(messages, news);
  const first = messages[0];
  const last = messages.at(-1);
  const outside =
    (history.hasMoreBefore && (first === undefined || message.id < first.id)) || (history.hasMoreAfter && (last === undefined || message.id > last.id));
  const placed = outside ? messages : place(messages, message);
  // Replies show what they answer as it is now, loaded or not; news that is older than what is known tells them nothing.
  const known = placed === messages ? messages[lowerBound(messages, message.id)] : undefined;
  const stale = known?.id === message.id && isNewer(known, message);
  const quoted = stale || message.revision === 1 ? placed : requote(placed, message);
  return quoted === messages ? history : { ...history, messages: quoted };
}

/** Notes that everything up to `id` has arrived. */
export function advanceThrough(history: History, id: number): History {
  return !history.hasMoreAfter && id > history.through ? { ...history, through: id } : history;
}

/** Cuts a stretch that outgrew its window, on the side away from the reader. */
export function trimHistory(history: History, keep: "newest" | "oldest", size: number = WINDOW_SIZE): History {
  const { messages } = history;
  if (messages.length <= size) return history;
  if (keep === "newest") return { ...history, messages: messages.slice(-size), hasMoreBefore: true };
  const kept = messages.slice(0, size);
  return { ...history, messages: kept, hasMoreAfter: true, through: Math.min(history.through, kept.at(-1)?.id ?? 0) };
}

/** Whether the message is loaded and may be shown. */
export function holdsMessage(history: History, id: number): boolean {
  const found = history.messages[lowerBound(history.messages, id)];
  return found?.id === id && !found.deleted;
}

/** Whether the place of a message is loaded, but not the message: it was deleted, or never was. */
export function lacksMessage(history: History, id: number): boolean {
  const first = history.messages[0]?.id ?? Number.POSITIVE_INFINITY;
  const last = history.messages.at(-1)?.id ?? Number.NEGATIVE_INFINITY;
  return (first <= id || !history.hasMoreBefore) && (id <= last || !history.hasMoreAfter) && !holdsMessage(history, id);
}

function place(messages: readonly Message[], message: Message): readonly Message[] {
  const index = lowerBound(messages, message.id);
  const known = messages[index];
  if (known?.id !== message.id) return messages.toSpliced(index, 0, message);
  return isNewer(message, known) ? messages.with(index, message) : messages;
}

/** Where a service tells no revisions, the later arrival counts, unless it says the same. */
function isNewer(message: Message, known: Message): boolean {
  if (message.revision !== undefined && known.revision !== undefined) return message.revision > known.revision;
  return message.revision !== undefined || JSON.stringify(message) !== JSON.stringify(known);
}

/** News is the same for everybody: which comments of its files this person has not read stays as it was. */
function asRead(messages: readonly Message[], news: Message): Message {
  const before = news.attachments.length > 0 ? messages[lowerBound(messages, news.id)] : undefined;
  if (before?.id !== news.id) return news;
  const unread = new Set(before.attachments.flatMap(({ id, has_unread_comments }) => (has_unread_comments ? id : [])));
  return { ...news, attachments: news.attachments.map((one) => ({ ...one, has_unread_comments: unread.has(one.id) })) };
}

function lowerBound(messages: readonly Message[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (messages[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(messages: readonly Message[]): readonly Message[] {
  const sorted = messages.every((message, index) => index === 0 || messages[index - 1]!.id < message.id);
  return sorted ? messages : [...new Map(messages.map((message) => [message.id, message])).values()].toSorted((a, b) => a.id - b.id);
}
