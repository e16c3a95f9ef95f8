/** Where a chat opens: at the message in the address, else at the first unread, else at the end. */
import type { Project } from "../../../../contract/records.ts";
import { hasMessage, type Anchor, type History } from "../../../queries/messages/history.ts";

export type ScrollTarget = { at: "end" } | { at: "unread" } | { at: "message"; id: number };

export interface ChatLocation {
  anchor: Anchor;
  scrollTarget: ScrollTarget;
  /** Last message read before; null where no unread line is drawn. */
  unreadAfter: number | null;
}

export function resolveInitialPosition(project: Pick<Project, "unread_count" | "last_read_message_id">, messageId: number | null): ChatLocation {
  const lastReadId = project.last_read_message_id;
  const unreadAfter = project.unread_count > 0 ? (lastReadId ?? 0) : null;
  if (messageId !== null) return { anchor: `around:${messageId}`, scrollTarget: { at: "message", id: messageId }, unreadAfter };
  // Who has never read here opens at the end: the first unread message is the first of all.
  if (unreadAfter === null || lastReadId === null)
    return { anchor: "latest", scrollTarget: unreadAfter === null ? { at: "end" } : { at: "unread" }, unreadAfter };
  // 0: nothing was ever read, so everything is new from the first message on; no message has that id.
  return { anchor: `around:${Math.max(lastReadId, 1)}`, scrollTarget: { at: "unread" }, unreadAfter };
}

/** Where another address within the same chat leads: what is loaded already is only scrolled. */
export function nextLocation(location: ChatLocation, history: History | undefined, messageId: number | null): ChatLocation {
  if (messageId !== null) {
    const isLoaded = history !== undefined && hasMessage(history, messageId);
    return { ...location, anchor: isLoaded ? location.anchor : `around:${messageId}`, scrollTarget: { at: "message", id: messageId } };
  }
  const isLoaded = history !== undefined && !history.hasMoreAfter;
  return { ...location, anchor: isLoaded ? location.anchor : "latest", scrollTarget: { at: "end" } };
}

/** The message id in an address; null for none and for what is no id. */
export function parseMessageId(segment: string | undefined): number | null {
  return segment !== undefined && /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : null;
}
