/**
 * One loaded window of a project's chat: contiguous, ascending by id, deleted messages kept as tombstones, and the quotes in replies as current as the
 * quoted messages.
 */
import type { Message, Quote } from "../../../contract/records.ts";

export interface History {
  messages: readonly Message[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  /** Id up to which no message is missing. The user's own message, added from the response, may have a higher id until the events in between arrive. */
  completeThroughId: number;
}

/** Where a window starts: at the end of the chat, or around one message. */
export type WindowStart = "latest" | `around:${number}`;

/** Messages per request. */
export const PAGE_SIZE = 100;
/** Maximum number of messages in one window: 20 pages. */
export const WINDOW_SIZE = 2_000;
/** Characters of the body in a quote, by the service's limit. */
const EXCERPT_LENGTH = 200;

/** The part of a `chat_history` response that the client needs. */
export interface HistoryResponse {
  data: readonly Message[];
  has_more_before?: boolean | undefined;
  has_more_after?: boolean | undefined;
}

/**
 * Creates a window from a response. A service that offers only the documented operation reports no further pages and cannot page, so nothing
 * comes before or after.
 */
export function toHistory(response: HistoryResponse): History {
  const messages = sortAscending(response.data);
  return {
    messages,
    hasMoreBefore: messages.length > 0 && (response.has_more_before ?? false),
    hasMoreAfter: messages.length > 0 && (response.has_more_after ?? false),
    completeThroughId: messages.at(-1)?.id ?? 0,
  };
}

/** Prepends an older page; changes that arrived during the request stay. */
export function prependPage(history: History, response: HistoryResponse): History {
  const first = history.messages[0];
  const older = sortAscending(response.data).filter((message) => first === undefined || message.id < first.id);
  return {
    ...history,
    messages: older.length > 0 ? [...older, ...history.messages] : history.messages,
    hasMoreBefore: older.length > 0 && (response.has_more_before ?? false),
  };
}

/** Prepends the page before the message `firstId`, if it adjoins: a window that was trimmed or replaced since the request may begin elsewhere. */
export function prependPageBefore(history: History, firstId: number, response: HistoryResponse): History {
  if (!isInside(history, firstId)) return history;
  const first = history.messages[0]!.id;
  // The window may also have grown beyond the page.
  return first === firstId || response.data.some(({ id }) => id < first) ? prependPage(history, response) : history;
}

/** Appends the page after the message `lastId`, if it adjoins. */
export function appendPageAfter(history: History, lastId: number, response: HistoryResponse): History {
  if (!isInside(history, lastId)) return history;
  const last = history.messages.at(-1)!.id;
  const appended = appendPage(history, response);
  return last === lastId || response.data.some(({ id }) => id > last) ? appended : { ...appended, hasMoreAfter: history.hasMoreAfter };
}

const isInside = ({ messages }: History, id: number): boolean => messages.length > 0 && messages[0]!.id <= id && id <= messages.at(-1)!.id;

/** Appends a newer page. */
export function appendPage(history: History, response: HistoryResponse): History {
  const page = sortAscending(response.data);
  const merged = page.reduce((existing, message) => insertOrReplace(existing, message), history.messages);
  return {
    ...history,
    messages: merged,
    hasMoreAfter: page.length > 0 && (response.has_more_after ?? false),
    completeThroughId: Math.max(history.completeThroughId, page.at(-1)?.id ?? 0),
  };
}

/**
 * Upserts a message from any source: an event, the response to its sender, a poll. Only a higher revision replaces a cached message, so the order
 * of arrival does not matter. A changed message with the revision of the cached one is dropped, so every mutation in the service must raise
 * `revision`.
 */
export function upsertMessage(history: History, incoming: Message): History {
  const { messages } = history;
  const message = keepReaderMembers(messages, incoming);
  const first = messages[0];
  const last = messages.at(-1);
  const isOutside =
    (history.hasMoreBefore && (first === undefined || message.id < first.id)) || (history.hasMoreAfter && (last === undefined || message.id > last.id));
  const inserted = isOutside ? messages : insertOrReplace(messages, message);
  // Replies quote the message as it is now, loaded or not; a stale revision updates no quotes.
  const existing = inserted === messages ? messages[lowerBound(messages, message.id)] : undefined;
  const isStale = existing?.id === message.id && isNewer(existing, message);
  const updated = isStale || message.revision === 1 ? inserted : patchQuotes(inserted, message);
  return updated === messages ? history : { ...history, messages: updated };
}

/** Records that everything up to `id` has arrived. */
export function advanceCompleteThrough(history: History, id: number): History {
  return !history.hasMoreAfter && id > history.completeThroughId ? { ...history, completeThroughId: id } : history;
}

/** Trims a window that outgrew its maximum size, on the side away from the reader. */
export function trimHistory(history: History, keep: "newest" | "oldest", size: number = WINDOW_SIZE): History {
  const { messages } = history;
  if (messages.length <= size) return history;
  if (keep === "newest") return { ...history, messages: messages.slice(-size), hasMoreBefore: true };
  const remaining = messages.slice(0, size);
  return { ...history, messages: remaining, hasMoreAfter: true, completeThroughId: Math.min(history.completeThroughId, remaining.at(-1)?.id ?? 0) };
}

/** Returns whether the message is loaded and not deleted. */
export function hasMessage(history: History, id: number): boolean {
  const found = history.messages[lowerBound(history.messages, id)];
  return found?.id === id && !found.deleted;
}

/** Returns whether the position of a message is loaded, but not the message, because it was deleted or never existed. */
export function isMessageMissing(history: History, id: number): boolean {
  const first = history.messages[0]?.id ?? Number.POSITIVE_INFINITY;
  const last = history.messages.at(-1)?.id ?? Number.NEGATIVE_INFINITY;
  return (first <= id || !history.hasMoreBefore) && (id <= last || !history.hasMoreAfter) && !hasMessage(history, id);
}

function insertOrReplace(messages: readonly Message[], message: Message): readonly Message[] {
  const index = lowerBound(messages, message.id);
  const existing = messages[index];
  if (existing?.id !== message.id) return messages.toSpliced(index, 0, message);
  return isNewer(message, existing) ? messages.with(index, message) : messages;
}

/** Returns whether `message` replaces `existing`: by a higher revision; if either has no revision, the later arrival wins unless both are equal. */
function isNewer(message: Message, existing: Message): boolean {
  if (message.revision !== undefined && existing.revision !== undefined) return message.revision > existing.revision;
  return message.revision !== undefined || JSON.stringify(message) !== JSON.stringify(existing);
}

/** Keeps the members of the cached message that depend on the reader, since live events and responses to changes are the same for everybody. */
function keepReaderMembers(messages: readonly Message[], incoming: Message): Message {
  const existing = messages[lowerBound(messages, incoming.id)];
  if (existing?.id !== incoming.id) return incoming;
  const unreadIds = unreadFileIds(existing);
  const attachments = incoming.attachments.map((attachment) => ({ ...attachment, has_unread_comments: unreadIds.includes(attachment.id) }));
  return { ...incoming, attachments, ...(incoming.deleted && unreadIds.length > 0 ? { [HIDDEN_UNREAD_IDS]: unreadIds } : {}) };
}

/** A deleted message has no attachments. This member of the cached record keeps which of them had unread comments, since no event that restores it does. */
const HIDDEN_UNREAD_IDS = "hidden_unread_file_ids";

function unreadFileIds(message: Message): number[] {
  if (message.deleted) return (message[HIDDEN_UNREAD_IDS] as number[] | undefined) ?? [];
  return message.attachments.flatMap(({ id, has_unread_comments }) => (has_unread_comments ? id : []));
}

/** Sets a file's unread dot in every message of the window, also in deleted ones that may be restored. */
export function setUnreadDot(history: History, fileId: number, hasUnread: boolean): History {
  const messages = history.messages.map((message) => {
    if (message[HIDDEN_UNREAD_IDS] !== undefined && !hasUnread)
      return { ...message, [HIDDEN_UNREAD_IDS]: unreadFileIds(message).filter((id) => id !== fileId) };
    if (!message.attachments.some(({ id, has_unread_comments }) => id === fileId && has_unread_comments !== hasUnread)) return message;
    const attachments = message.attachments.map((attachment) => (attachment.id === fileId ? { ...attachment, has_unread_comments: hasUnread } : attachment));
    return { ...message, attachments };
  });
  return messages.every((message, index) => message === history.messages[index]) ? history : { ...history, messages };
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

function sortAscending(messages: readonly Message[]): readonly Message[] {
  const isSorted = messages.every((message, index) => index === 0 || messages[index - 1]!.id < message.id);
  return isSorted ? messages : [...new Map(messages.map((message) => [message.id, message])).values()].toSorted((a, b) => a.id - b.id);
}

/** Returns the quote that replies to this message show. */
export function toQuote(message: Message): Quote {
  const excerpt = message.deleted ? "" : [...message.body].slice(0, EXCERPT_LENGTH).join("");
  return {
    id: message.id,
    account_id: message.account_id,
    excerpt,
    mentions: message.deleted ? [] : (message.mentions ?? []).filter((id) => excerpt.includes(`<@${id}>`)),
    deleted: message.deleted === true,
    is_audio_message: message.is_audio_message,
    attachment_name: message.deleted ? null : (message.attachments[0]?.name ?? message.playlist?.name ?? null),
    audio_duration: message.deleted || !message.is_audio_message ? null : message.attachments[0]?.audio?.duration || null,
  };
}

/** Updates the quote of a message in every loaded reply. */
function patchQuotes(messages: readonly Message[], parent: Message): readonly Message[] {
  const quote = toQuote(parent);
  const next = messages.map((message) =>
    message.parent?.id !== parent.id || isSameQuote(message.parent, quote) ? message : { ...message, parent: { ...message.parent, ...quote } },
  );
  return next.some((message, index) => message !== messages[index]) ? next : messages;
}

const isSameQuote = (a: Quote, b: Quote) =>
  a.excerpt === b.excerpt &&
  a.deleted === b.deleted &&
  a.attachment_name === b.attachment_name &&
  (a.audio_duration ?? null) === (b.audio_duration ?? null) &&
  a.mentions.length === b.mentions.length &&
  a.mentions.every((id, index) => id === b.mentions[index]);
