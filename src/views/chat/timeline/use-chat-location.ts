import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project } from "../../../../contract/records.ts";
import { isMessageMissing } from "../../../queries/messages/history.ts";
import { useMessageHistory, useOptimisticHistory } from "../../../queries/messages/use-message-history.ts";
import { nextLocation, resolveInitialPosition } from "./initial-position.ts";

/** Manages the position in a chat and the messages loaded around it, and navigates within the chat and back. */
export function useChatLocation(project: Project, messageId: number | null) {
  const navigate = useNavigate();
  const { search, state: locationState } = useLocation();
  const locationKey = useLocationKey();
  /** Ids of the messages at which the reader left earlier locations of this chat, by location key. */
  const [readPositions] = useState(() => new Map<string, number>());
  const [location, setLocation] = useState(() => ({ ...resolveInitialPosition(project, messageId), locationKey }));
  const loadedWindow = useMessageHistory(project.id, location.windowStart);
  const history = useOptimisticHistory(loadedWindow.history);
  if (location.locationKey !== locationKey) setLocation({ ...nextLocation(location, history, readPositions.get(locationKey) ?? messageId), locationKey });

  const locationKeyRef = useRef(locationKey);
  /** Location that a jump is leaving; until the router renders the new one, positions that the timeline still reports are ignored. */
  const leavingKey = useRef<string | null>(null);
  useEffect(() => {
    locationKeyRef.current = locationKey;
    leavingKey.current = null;
  }, [locationKey]);
  const goToMessage = useCallback(
    (id: number, state?: object) => void navigate(`/projects/${project.id}/chat/${id}${search}`, { state }),
    [navigate, project.id, search],
  );
  const jump = useCallback(
    (id: number, from: number) => {
      readPositions.set(locationKeyRef.current, from);
      leavingKey.current = locationKeyRef.current;
      goToMessage(id, { jumped: true });
    },
    [goToMessage, readPositions],
  );
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
    /** Navigates to a message. */
    goToMessage,
    /** Jumps to a message; Back then returns to the message `from`. */
    jump,
    goToEnd() {
      if (history?.hasMoreAfter && location.windowStart === "latest") loadedWindow.restart();
      if (messageId !== null) void navigate(`/projects/${project.id}/chat${search}`);
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
