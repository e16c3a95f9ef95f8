/** What the timeline shows, top to bottom: messages and what waits to become one, parted by days and the unread line. */
import type { Message } from "../../../../contract/records.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";

export type Row =
  /** `empty`: nothing is left below it; it keeps its place without showing. */
  | { kind: "day"; key: string; at: string; empty: boolean }
  /** `first`: right below the header of its day. */
  | { kind: "unread"; key: string; empty: boolean; first: boolean }
  | { kind: "message"; key: string; message: Message; grouped: boolean }
  /** Deleted by who reads, and can still be brought back. */
  | { kind: "deleted"; key: string; message: Message }
  /** Deleted: keeps its place without showing, since the list knows its rows by their number. */
  | { kind: "gone"; key: string; message: Message }
  /** Where a row has left that is no message, for the same reason. */
  | { kind: "left"; key: string }
  | { kind: "pending"; key: string; entry: OutboxEntry; grouped: boolean };

export interface RowsInput {
  messages: readonly Message[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  /** What this project's outbox holds, in the order it was written. */
  entries: readonly OutboxEntry[];
  /** Last message read before; the line stands above the one after it, if somebody else wrote that. null: no line. */
  unreadAfter: number | null;
  /** The reader has put the line there: it also stands above a message of their own. */
  isManuallyUnread?: boolean;
  accountId: number;
  /** Deleted messages that the reader may bring back. */
  undoableDeletions?: ReadonlySet<number>;
  /** Messages that the reader is changing: they stay, deleted or not. */
  activeEdits?: { has(messageId: number): boolean };
}

/** Messages of one author this close to each other stand as one block. */
const GROUP_WINDOW_MS = 5 * 60_000;

interface Item {
  key: string;
  accountId: number;
  at: string;
  /** null while it is not with the service. */
  id: number | null;
  isVisible: boolean;
  toRow(grouped: boolean): Row;
}

/**
 * Every row depends on its message and the ones just before alone, so that older pages only put rows in front.
 * While there are older messages, the oldest loaded one that shows is left out: it tells how its successor stands.
 */
export function buildRows(input: RowsInput): Row[] {
  const { unreadAfter } = input;
  const items = toItems(input);
  const rows: Row[] = [];
  let previous = input.hasMoreBefore ? items.splice(0, items.findIndex(({ isVisible }) => isVisible) + 1 || items.length).at(-1) : undefined;
  /** The message above that shows, unless something parts it from the next one. */
  let previousVisible = previous;
  let newestId = previous?.id ?? 0;
  for (const item of items) {
    const isNewDay = !previous || localDayKey(previous.at) !== localDayKey(item.at);
    if (isNewDay) rows.push({ kind: "day", key: `day:${item.key}`, at: item.at, empty: false });
    // Only where what was read ends: who has answered since needs no line.
    const hasUnreadLine = unreadAfter !== null && newestId <= unreadAfter && isUnread(item, unreadAfter, input);
    if (hasUnreadLine) rows.push({ kind: "unread", key: `unread:${item.key}`, empty: false, first: isNewDay });
    if (isNewDay || hasUnreadLine) previousVisible = undefined;
    newestId = item.id ?? newestId;
    rows.push(item.toRow(previousVisible !== undefined && isSameBlock(previousVisible, item)));
    previous = item;
    if (item.isVisible) previousVisible = item;
  }
  return markEmptyHeaders(rows);
}

/** Marks the headers below which nothing shows. */
function markEmptyHeaders(rows: Row[]): Row[] {
  let dayHasContent = false;
  let hasContentBelow = false;
  for (const row of rows.toReversed()) {
    if (row.kind === "day") {
      row.empty = !dayHasContent;
      dayHasContent = false;
    } else if (row.kind === "unread") row.empty = !hasContentBelow;
    else if (row.kind !== "gone") dayHasContent = hasContentBelow = true;
  }
  return rows;
}

/** The key of a message's row for life: the one its writer gave it, so that the waiting row becomes the message in place. */
export const rowKey = (accountId: number, clientId: string | null | undefined, id: number | null) => (clientId ? `${accountId}:${clientId}` : `message:${id}`);

function toItems(input: RowsInput): Item[] {
  const { messages, entries, hasMoreBefore, hasMoreAfter } = input;
  const items: Item[] = messages.map((message) => toMessageItem(message, input));
  const arrivedKeys = new Set(entries.length > 0 ? messages.map(({ account_id, client_id, id }) => rowKey(account_id, client_id, id)) : []);
  for (const entry of entries) {
    const item = toPendingItem(entry);
    if (arrivedKeys.has(item.key)) continue;
    const { afterId } = entry;
    if (entry.state !== "failed" || afterId === null) {
      // At the end of the chat, which is only shown where the end is loaded.
      if (!hasMoreAfter) items.push(item);
      continue;
    }
    const index = items.findLastIndex(({ id }) => id !== null && id <= afterId);
    // Written before all others: it stands at the beginning, which is only shown where the beginning is loaded.
    if (index >= 0 || !hasMoreBefore) items.splice(skipPendingItems(items, index + 1), 0, item);
    else if (!hasMoreAfter && items.every(({ id }) => id === null)) items.push(item);
  }
  return items;
}

/** Behind the waiting rows that already stand there, so that failed ones keep the order they were written in. */
function skipPendingItems(items: readonly Item[], from: number): number {
  let index = from;
  while (items[index]?.id === null && index < items.length) index += 1;
  return index;
}

function toMessageItem(message: Message, { undoableDeletions, activeEdits }: RowsInput): Item {
  const key = rowKey(message.account_id, message.client_id, message.id);
  const kind = !message.deleted || activeEdits?.has(message.id) ? "message" : undoableDeletions?.has(message.id) ? "deleted" : "gone";
  return {
    key,
    accountId: message.account_id,
    at: message.datetime,
    id: message.id,
    isVisible: kind === "message",
    toRow: (grouped) => (kind === "message" ? { kind, key, message, grouped } : { kind, key, message }),
  };
}

function toPendingItem(entry: OutboxEntry): Item {
  const key = rowKey(entry.accountId, entry.clientId, null);
  return {
    key,
    accountId: entry.accountId,
    at: new Date(entry.writtenAt).toISOString(),
    id: null,
    isVisible: true,
    toRow: (grouped) => ({ kind: "pending", key, entry, grouped }),
  };
}

const isUnread = (item: Item, unreadAfter: number, { accountId, isManuallyUnread = false }: RowsInput) =>
  item.id !== null && item.id > unreadAfter && (isManuallyUnread || item.accountId !== accountId);

function isSameBlock(previous: Item, item: Item): boolean {
  return previous.accountId === item.accountId && Math.abs(Date.parse(item.at) - Date.parse(previous.at)) < GROUP_WINDOW_MS;
}

/** The day in the reader's time zone. */
function localDayKey(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Whether a row takes any room. */
export const isVisibleRow = (row: Row): boolean => row.kind === "message" || row.kind === "deleted" || row.kind === "pending";

/** Where a message stands; -1 where it is not shown. */
export function indexOfMessage(rows: readonly Row[], id: number): number {
  return rows.findIndex((row) => row.kind === "message" && row.message.id === id);
}

/** The nearest message at or after a place whose message is gone. */
export function indexOfNearestMessage(rows: readonly Row[], id: number): number {
  const nextIndex = rows.findIndex((row) => "message" in row && row.message.id >= id);
  return nextIndex >= 0 ? nextIndex : rows.length - 1;
}

/** The moment of the day that a row belongs to. */
export function rowDatetime(row: Row | undefined): string | null {
  if (row?.kind === "day") return row.at;
  if (row && "message" in row) return row.message.datetime;
  return row?.kind === "pending" ? new Date(row.entry.writtenAt).toISOString() : null;
}
