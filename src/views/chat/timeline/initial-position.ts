/** Determines a chat's initial position: the message in the URL, else the first unread message, else the end. */
import type { Project } from "../../../../contract/records.ts";
import { hasMessage, type Anchor, type History } from "../../../queries/messages/history.ts";

export type ScrollTarget = { at: "end" } | { at: "unread" } | { at: "message"; id: number };

export interface ChatLocation {
  anchor: Anchor;
  scrollTarget: ScrollTarget;
  /** Last message read before; null if no unread line is shown. */
  unreadAfter: number | null;
}

export function resolveInitialPosition(project: Pick<Project, "unread_count" | "last_read_message_id">, messageId: number | null): ChatLocation {
  const lastReadId = project.last_read_message_id;
  const unreadAfter = project.unread_count > 0 ? (lastReadId ?? 0) : null;
  if (messageId !== null) return { anchor: `around:${messageId}`, scrollTarget: { at: "message", id: messageId }, unreadAfter };
  // A first visit loads the end of the chat, because the first unread message is the very first one.
  if (unreadAfter === null || lastReadId === null)
    return { anchor: "latest", scrollTarget: unreadAfter === null ? { at: "end" } : { at: "unread" }, unreadAfter };
  // 0 means nothing was ever read, so the first message is unread; no message has that id.
  return { anchor: `around:${Math.max(lastReadId, 1)}`, scrollTarget: { at: "unread" }, unreadAfter };
}

/** Returns the location for another URL of the same chat; a loaded message only needs scrolling. */
export function nextLocation(location: ChatLocation, history: History | undefined, messageId: number | null): ChatLocation {
  if (messageId !== null) {
    const isLoaded = history !== undefined && hasMessage(history, messageId);
    return { ...location, anchor: isLoaded ? location.anchor : `around:${messageId}`, scrollTarget: { at: "message", id: messageId } };
  }
  const isLoaded = history !== undefined && !history.hasMoreAfter;
  return { ...location, anchor: isLoaded ? location.anchor : "latest", scrollTarget: { at: "end" } };
}

/** Parses the message id in a URL; null for a missing or invalid id. */
export function parseMessageId(segment: string | undefined): number | null {
  return segment !== undefined && /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : null;
}
