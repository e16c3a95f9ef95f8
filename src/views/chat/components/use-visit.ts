import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project } from "../../../../contract/records.ts";
import { isMessageMissing } from "../../../queries/messages/history.ts";
import { useOptimisticHistory } from "../../../queries/messages/use-change-messages.ts";
import { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { nextLocation, resolveInitialPosition } from "../model/opening.ts";
import { useLocationKey } from "./use-address.ts";

/** Where one stands in a chat and what is loaded around it; the ways to other places in it and back. */
export function useChatLocation(project: Project, messageId: number | null) {
  const navigate = useNavigate();
  const { search, state: locationState } = useLocation();
  const locationKey = useLocationKey();
  /** Where one read when one went away from an address of this chat. */
  const [readPositions] = useState(() => new Map<string, number>());
  const [location, setLocation] = useState(() => ({ ...resolveInitialPosition(project, messageId), address: locationKey }));
  const loadedWindow = useMessageHistory(project.id, location.anchor);
  const history = useOptimisticHistory(loadedWindow.history);
  if (location.address !== locationKey) setLocation({ ...nextLocation(location, history, readPositions.get(locationKey) ?? messageId), address: locationKey });

  const locationKeyRef = useRef(locationKey);
  useEffect(() => {
    locationKeyRef.current = locationKey;
  });
  const goToMessage = useCallback(
    (id: number, state?: object) => void navigate(`/projects/${project.id}/chat/${id}${search}`, { state }),
    [navigate, project.id, search],
  );
  const jump = useCallback(
    (id: number, from: number) => {
      readPositions.set(locationKeyRef.current, from);
      goToMessage(id, { jumped: true });
    },
    [goToMessage, readPositions],
  );
  return {
    location,
    loadedWindow,
    history,
    /** The address names a message that is not there. */
    missing: history !== undefined && location.scrollTarget.at === "message" && isMessageMissing(history, location.scrollTarget.id),
    /** Where one reads: the way back to this address leads there. */
    savePosition: (id: number | null) => void (id === null ? readPositions.delete(locationKey) : readPositions.set(locationKey, id)),
    /** To a message. */
    goToMessage,
    /** To a message, from another one: the way back leads there. */
    jump,
    goToEnd() {
      if (history?.hasMoreAfter && location.anchor === "latest") loadedWindow.restart();
      if (messageId !== null) void navigate(`/projects/${project.id}/chat${search}`);
      else setLocation({ ...nextLocation(location, history, null), address: locationKey });
    },
    /** Null for who did not come by a quote. */
    goBack: isJump(locationState) ? () => void navigate(-1) : null,
  };
}

const isJump = (state: unknown): boolean => typeof state === "object" && state !== null && "jumped" in state;
