/** Determines a chat's initial position: the message in the URL, else the first unread message, else the end. */
import type { Project } from "../../../../contract/records.ts";
import { hasMessage, type WindowStart, type History } from "../../../queries/messages/history.ts";

export type ScrollTarget = { at: "end" } | { at: "unread" } | { at: "message"; id: number };

export interface ChatLocation {
  windowStart: WindowStart;
  scrollTarget: ScrollTarget;
  /** Id of the last message read when the chat was opened; null if no unread line is shown. */
  unreadAfter: number | null;
}

export function resolveInitialPosition(project: Pick<Project, "unread_count" | "last_read_message_id">, messageId: number | null): ChatLocation {
  const lastReadId = project.last_read_message_id;
  const unreadAfter = project.unread_count > 0 ? (lastReadId ?? 0) : null;
  if (messageId !== null) return { windowStart: `around:${messageId}`, scrollTarget: { at: "message", id: messageId }, unreadAfter };
  // On a first visit every message is unread, so the chat loads its end; only a chat that fits into one page shows the unread line.
  if (unreadAfter === null || lastReadId === null)
    return { windowStart: "latest", scrollTarget: unreadAfter === null ? { at: "end" } : { at: "unread" }, unreadAfter };
  // A `lastReadId` of 0 (nothing was read) is not a message id, so the window is loaded around id 1.
  return { windowStart: `around:${Math.max(lastReadId, 1)}`, scrollTarget: { at: "unread" }, unreadAfter };
}

/** Returns the location for another URL of the same chat. If the target is already loaded, the window stays and the timeline only scrolls. */
export function nextLocation(location: ChatLocation, history: History | undefined, messageId: number | null): ChatLocation {
  if (messageId !== null) {
    const isLoaded = history !== undefined && hasMessage(history, messageId);
    return { ...location, windowStart: isLoaded ? location.windowStart : `around:${messageId}`, scrollTarget: { at: "message", id: messageId } };
  }
  const isLoaded = history !== undefined && !history.hasMoreAfter;
  return { ...location, windowStart: isLoaded ? location.windowStart : "latest", scrollTarget: { at: "end" } };
}

/** Parses the message id in a URL; null for a missing or invalid id. */
export function parseMessageId(segment: string | undefined): number | null {
  return segment !== undefined && /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : null;
}
