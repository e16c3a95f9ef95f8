/** Where a chat opens: at the message in the address, else at the first unread, else at the end. */
import type { Project } from "../../../../contract/records.ts";
import { holdsMessage, type Anchor, type History } from "../../../queries/messages/history.ts";

export type Place = { at: "end" } | { at: "unread" } | { at: "message"; id: number };

export interface Visit {
  anchor: Anchor;
  place: Place;
  /** Last message read before; null where no unread line is drawn. */
  unreadAfter: number | null;
}

export function openingOf(project: Pick<Project, "unread_count" | "last_read_message_id">, messageId: number | null): Visit {
  const read = project.last_read_message_id;
  const unreadAfter = project.unread_count > 0 ? (read ?? 0) : null;
  if (messageId !== null) return { anchor: `around:${messageId}`, place: { at: "message", id: messageId }, unreadAfter };
  // Who has never read here opens at the end: the first unread message is the first of all.
  if (unreadAfter === null || read === null) return { anchor: "latest", place: unreadAfter === null ? { at: "end" } : { at: "unread" }, unreadAfter };
  // 0: nothing was ever read, so everything is new from the first message on; no message has that id.
  return { anchor: `around:${Math.max(read, 1)}`, place: { at: "unread" }, unreadAfter };
}

/** Where another address within the same chat leads: what is loaded already is only scrolled. */
export function nextVisit(visit: Visit, history: History | undefined, messageId: number | null): Visit {
  if (messageId !== null) {
    const held = history !== undefined && holdsMessage(history, messageId);
    return { ...visit, anchor: held ? visit.anchor : `around:${messageId}`, place: { at: "message", id: messageId } };
  }
  const held = history !== undefined && !history.hasMoreAfter;
  return { ...visit, anchor: held ? visit.anchor : "latest", place: { at: "end" } };
}

/** The message id in an address; null for none and for what is no id. */
export function messageIdOf(segment: string | undefined): number | null {
  return segment !== undefined && /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : null;
}
