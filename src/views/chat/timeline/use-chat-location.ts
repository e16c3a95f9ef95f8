import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project } from "../../../../contract/records.ts";
import { withoutLinkedComment } from "../../../components/file-link.ts";
import { isMessageMissing, hasMessage, type WindowStart, type History } from "../../../queries/messages/history.ts";
import { type LoadedWindow, useMessageHistory, useOptimisticHistory } from "../../../queries/messages/use-message-history.ts";

type ReadProject = Pick<Project, "id" | "unread_count" | "last_read_message_id">;

/**
 * Manages the position in a chat and the messages loaded around it, and navigates within the chat and back. `onlyWindow` is the one window of a service
 * that cannot page.
 */
export function useChatLocation(project: ReadProject, messageId: number | null, onlyWindow?: LoadedWindow) {
  const navigate = useNavigate();
  const { search, state: locationState } = useLocation();
  const nextSearch = withoutLinkedComment(new URLSearchParams(search)).toString();
  const locationKey = useLocationKey();
  /** Ids of the messages at which the reader left earlier locations of this chat, by location key. */
  const [readPositions] = useState(() => new Map<string, number>());
  const [location, setLocation] = useState(() => ({ ...resolveInitialPosition(project, messageId), locationKey }));
  const pagedWindow = useMessageHistory(project.id, location.windowStart, onlyWindow === undefined);
  const loadedWindow = onlyWindow ?? pagedWindow;
  const history = useOptimisticHistory(loadedWindow.history);
  if (location.locationKey !== locationKey) setLocation({ ...nextLocation(location, history, readPositions.get(locationKey) ?? messageId), locationKey });

  /** Location that a jump is leaving; until the router renders the new one, positions that the timeline still reports are ignored. */
  const leavingKey = useRef<string | null>(null);
  useEffect(() => {
    leavingKey.current = null;
  }, [locationKey]);
  const goToMessage = (id: number, state?: object) => void navigate({ pathname: `/projects/${project.id}/chat/${id}`, search: nextSearch }, { state });
  return {
    location,
    loadedWindow,
    history,
    /** True if the URL names a message that does not exist. */
    isTargetMissing: history !== undefined && location.scrollTarget.at === "message" && isMessageMissing(history, location.scrollTarget.id),
    /** Stores the reading position, to which the chat scrolls if the reader returns to this location. */
    savePosition(id: number | null) {
      if (leavingKey.current === locationKey) return;
      if (id === null) readPositions.delete(locationKey);
      else readPositions.set(locationKey, id);
    },
    goToMessage,
    /** Jumps to a message; Back then returns to the message `from`. */
    jump(id: number, from: number) {
      readPositions.set(locationKey, from);
      leavingKey.current = locationKey;
      goToMessage(id, { jumped: true });
    },
    goToEnd() {
      if (history?.hasMoreAfter && location.windowStart === "latest") loadedWindow.restart();
      if (messageId !== null) void navigate({ pathname: `/projects/${project.id}/chat`, search: nextSearch });
      else setLocation({ ...nextLocation(location, history, null), locationKey });
    },
    /** Returns to the position before the jump; null if the reader did not arrive by a jump. */
    goBack: isJump(locationState) ? () => void navigate(-1) : null,
  };
}

const isJump = (state: unknown): boolean => typeof state === "object" && state !== null && "jumped" in state;

/** Returns a key for each navigation to a chat URL; a change of the search beside the chat keeps the key. */
function useLocationKey(): string {
  const { key, pathname, search } = useLocation();
  const [previous, setPrevious] = useState({ key, pathname, search, locationKey: key });
  if (previous.key === key) return previous.locationKey;
  const locationKey = previous.pathname === pathname && previous.search !== search ? previous.locationKey : key;
  setPrevious({ key, pathname, search, locationKey });
  return locationKey;
}

export type ScrollTarget = { at: "end" } | { at: "unread" } | { at: "message"; id: number };

export interface ChatLocation {
  windowStart: WindowStart;
  scrollTarget: ScrollTarget;
  /** Id of the last message read when the chat was opened; null if no unread line is shown. */
  unreadAfter: number | null;
}

export function resolveInitialPosition(project: Pick<ReadProject, "unread_count" | "last_read_message_id">, messageId: number | null): ChatLocation {
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
