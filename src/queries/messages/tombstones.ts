/**
 * What this browser remembers of messages that its person has deleted: enough to show the way back where each stood,
 * nothing of what it said. A history that is loaded anew tells nothing of them.
 */
import * as z from "zod/mini";
import { LIMITS } from "../../../contract/limits.ts";
import { message as messageRecord, type Message } from "../../../contract/records.ts";
import type { History } from "./history.ts";

export interface Kept {
  message: Message;
  /** Epoch milliseconds by this browser's clock. */
  until: number;
}

export const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;
/** So many are remembered, the last ones. */
const MOST = 20;

const shape = z.array(z.object({ message: messageRecord, until: z.number() }));

export const tombstoneOf = (message: Message): Message => ({
  ...message,
  body: "",
  attachments: [],
  reactions: [],
  mentions: [],
  parent: null,
  deleted: true,
});

export const written = (kept: readonly Kept[]): string => JSON.stringify(kept.slice(-MOST));

/** What was written and still holds; nothing where it is not ours. */
export function keptIn(text: string | null, now: number): Kept[] {
  try {
    const { data = [] } = shape.safeParse(JSON.parse(text ?? "[]"));
    return data.filter((one) => leftOf(one, now) > 0);
  } catch {
    return [];
  }
}

/** Milliseconds. A clock that was set back makes no time longer than it was. */
export const leftOf = ({ until }: Kept, now: number): number => Math.max(0, Math.min(until - now, RESTORE_MS));

/** The stretch with the places of messages that it covers and does not hold any more. The same one where there are none. */
export function withTombstones(history: History, kept: readonly Kept[], projectId: number): History {
  const known = new Set(kept.length > 0 ? history.messages.map(({ id }) => id) : []);
  const first = history.hasMoreBefore ? (history.messages[0]?.id ?? Number.POSITIVE_INFINITY) : 0;
  const last = history.hasMoreAfter ? (history.messages.at(-1)?.id ?? 0) : Number.POSITIVE_INFINITY;
  const missing = kept.flatMap(({ message }) => {
    const covered = message.chat_id === projectId && message.id > first && message.id < last && !known.has(message.id);
    return covered ? [message] : [];
  });
  return missing.length > 0 ? { ...history, messages: [...history.messages, ...missing].toSorted((a, b) => a.id - b.id) } : history;
}
