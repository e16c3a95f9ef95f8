/** Builds the timeline's rows, top to bottom: messages and pending messages, separated by days and the unread line. */
import type { Message } from "../../../../contract/records.ts";
import { localDay } from "../../../lib/time.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";

export type Row =
  /** `isEmpty`: nothing visible is left below; the row keeps its index but is not shown. */
  | { kind: "day"; key: string; at: string; isEmpty: boolean }
  /** `isBelowDay`: right below its day header. */
  | { kind: "unread"; key: string; isEmpty: boolean; isBelowDay: boolean }
  | { kind: "message"; key: string; message: Message; isGrouped: boolean }
  /** Deleted by the reader and still restorable. */
  | { kind: "deleted"; key: string; message: Message }
  /** Deleted: keeps its index without showing, because the list identifies rows by index. */
  | { kind: "hidden"; key: string; message: Message }
  /** Replaces a removed row other than a message, so that the rows below keep their indexes. */
  | { kind: "placeholder"; key: string }
  | { kind: "pending"; key: string; entry: OutboxEntry; isGrouped: boolean };

export interface RowsInput {
  messages: readonly Message[];
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  /** The project's outbox entries in the order they were written. */
  entries: readonly OutboxEntry[];
  /** Id of the last message read; the unread line is above the next message, if somebody else wrote it. Null for no line. */
  unreadAfter: number | null;
  /** True if the reader marked messages as unread; the line can then also be above the reader's own message. */
  isManuallyUnread?: boolean;
  /** Null without a signed-in user. */
  accountId: number | null;
  /** Ids of deleted messages that the reader can restore. */
  undoableDeletions?: ReadonlySet<number>;
  /** Messages the reader is editing; they stay visible even if deleted. */
  activeEdits?: { has(messageId: number): boolean };
}

/** Milliseconds within which consecutive messages of one author form a group. */
const GROUP_WINDOW_MS = 5 * 60_000;

interface Item {
  key: string;
  accountId: number;
  at: string;
  /** Null until the service has stored the message. */
  id: number | null;
  isVisible: boolean;
  toRow(isGrouped: boolean): Row;
}

/**
 * Each row depends only on its message and the ones just before it, so that loading older pages only prepends rows. While older messages exist, the
 * oldest loaded visible one is left out, because it determines how the next one is grouped.
 */
export function buildRows(input: RowsInput): Row[] {
  const { unreadAfter } = input;
  const items = toItems(input);
  const rows: Row[] = [];
  let previous = input.hasMoreBefore ? items.splice(0, items.findIndex(({ isVisible }) => isVisible) + 1 || items.length).at(-1) : undefined;
  /** The visible message above, unless a separator comes between it and the next one. */
  let previousVisible = previous;
  let newestId = previous?.id ?? 0;
  for (const item of items) {
    const isNewDay = !previous || localDay(previous.at) !== localDay(item.at);
    if (isNewDay) rows.push({ kind: "day", key: `day:${item.key}`, at: item.at, isEmpty: false });
    // The unread line is shown only where the read messages end; a reader who has replied since needs no line.
    const hasUnreadLine = unreadAfter !== null && newestId <= unreadAfter && isUnread(item, unreadAfter, input);
    if (hasUnreadLine) rows.push({ kind: "unread", key: `unread:${item.key}`, isEmpty: false, isBelowDay: isNewDay });
    if (isNewDay || hasUnreadLine) previousVisible = undefined;
    newestId = item.id ?? newestId;
    rows.push(item.toRow(previousVisible !== undefined && isSameGroup(previousVisible, item)));
    previous = item;
    if (item.isVisible) previousVisible = item;
  }
  return markEmptyHeaders(rows);
}

function markEmptyHeaders(rows: Row[]): Row[] {
  let dayHasContent = false;
  let hasContentBelow = false;
  for (const row of rows.toReversed()) {
    if (row.kind === "day") {
      row.isEmpty = !dayHasContent;
      dayHasContent = false;
    } else if (row.kind === "unread") row.isEmpty = !hasContentBelow;
    else if (row.kind !== "hidden") dayHasContent = hasContentBelow = true;
  }
  return rows;
}

/** Returns a row key that never changes: it uses the writer's `client_id`, so that the pending row becomes the message in place. */
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
      // Pending messages belong at the end of the chat, which shows only if the end is loaded.
      if (!hasMoreAfter) items.push(item);
      continue;
    }
    const index = items.findLastIndex(({ id }) => id !== null && id <= afterId);
    // An entry older than all messages belongs at the beginning, which shows only if the beginning is loaded.
    if (index >= 0 || !hasMoreBefore) items.splice(skipPendingItems(items, index + 1), 0, item);
    else if (!hasMoreAfter && items.every(({ id }) => id === null)) items.push(item);
  }
  return items;
}

/** Skips pending rows already at this position, so that failed ones keep the order they were written in. */
function skipPendingItems(items: readonly Item[], from: number): number {
  let index = from;
  while (items[index]?.id === null && index < items.length) index += 1;
  return index;
}

function toMessageItem(message: Message, { undoableDeletions, activeEdits }: RowsInput): Item {
  const key = rowKey(message.account_id, message.client_id, message.id);
  const kind = !message.deleted || activeEdits?.has(message.id) ? "message" : undoableDeletions?.has(message.id) ? "deleted" : "hidden";
  return {
    key,
    accountId: message.account_id,
    at: message.datetime,
    id: message.id,
    isVisible: kind === "message",
    toRow: (isGrouped) => (kind === "message" ? { kind, key, message, isGrouped } : { kind, key, message }),
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
    toRow: (isGrouped) => ({ kind: "pending", key, entry, isGrouped }),
  };
}

const isUnread = (item: Item, unreadAfter: number, { accountId, isManuallyUnread = false }: RowsInput) =>
  item.id !== null && item.id > unreadAfter && (isManuallyUnread || item.accountId !== accountId);

function isSameGroup(previous: Item, item: Item): boolean {
  return previous.accountId === item.accountId && Math.abs(Date.parse(item.at) - Date.parse(previous.at)) < GROUP_WINDOW_MS;
}

/** Returns whether a row shows content other than a separator. */
export const isVisibleRow = (row: Row): boolean => row.kind === "message" || row.kind === "deleted" || row.kind === "pending";

/** Returns the row index of a message; -1 if it is not shown. */
export function indexOfMessage(rows: readonly Row[], id: number): number {
  return rows.findIndex((row) => row.kind === "message" && row.message.id === id);
}

/** Returns the index of the first row at or after a message id, for a message that no longer exists; else the last index. */
export function indexOfNearestMessage(rows: readonly Row[], id: number): number {
  const nextIndex = rows.findIndex((row) => "message" in row && row.message.id >= id);
  return nextIndex >= 0 ? nextIndex : rows.length - 1;
}

export function rowDatetime(row: Row | undefined): string | null {
  if (row?.kind === "day") return row.at;
  if (row && "message" in row) return row.message.datetime;
  return row?.kind === "pending" ? new Date(row.entry.writtenAt).toISOString() : null;
}
