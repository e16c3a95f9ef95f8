import { useCallback, useState } from "react";
import type { Project } from "../../../../contract/records.ts";
import type { History } from "../../../queries/messages/history.ts";
import { useReadMarker } from "../../../queries/messages/use-read-marker.ts";
import type { ChatLocation } from "../model/opening.ts";
import { usePageVisible } from "./use-attentive.ts";
import { useManualUnread } from "./use-unread-hold.ts";
import { useUnreadLine } from "./use-unread-line.ts";

/** Tracks how far the user has read, reports it to the service, and positions the unread line. */
export function useReadState(project: Project, { anchor, unreadAfter: initialUnreadAfter }: ChatLocation, history: History | undefined) {
  const isPageVisible = usePageVisible();
  // Scoped to the loaded window, because another window starts away from its end.
  const [endState, setEndState] = useState({ anchor, isAtEnd: false });
  const atEnd = endState.anchor === anchor && endState.isAtEnd;
  const onAtEnd = useCallback((isAtEnd: boolean) => setEndState({ anchor, isAtEnd }), [anchor]);

  const newestId = history && !history.hasMoreAfter ? (history.messages.at(-1)?.id ?? null) : null;
  const manualUnread = useManualUnread(atEnd);
  const lineAfter = useUnreadLine({ initialUnreadAfter, newestId, lastReadId: project.last_read_message_id, isPageVisible });
  useReadMarker(project.id, project.last_read_message_id, isPageVisible && atEnd && !manualUnread.isHeld ? newestId : null);
  return {
    atEnd,
    onAtEnd,
    manualUnread,
    /** Newest message of the chat; null while the end of the chat is not loaded. */
    newestId,
    unreadAfter: manualUnread.firstUnreadId === null ? lineAfter : manualUnread.firstUnreadId - 1,
    isManuallyUnread: manualUnread.firstUnreadId !== null,
  };
}
