import { useState } from "react";
import type { Project } from "../../../../contract/records.ts";
import { usePageActive } from "../../../lib/page-activity.ts";
import type { History } from "../../../queries/messages/history.ts";
import { useMoveReadMarker } from "../../../queries/messages/use-read-markers.ts";
import { useSeenNotifications } from "../../../queries/notifications/use-notifications.ts";
import type { ChatLocation } from "./use-chat-location.ts";

/** Tracks how far the user has read, reports it to the service, and positions the unread line. */
export function useReadState(project: Project, { windowStart, unreadAfter: initialUnreadAfter }: ChatLocation, history: History | undefined) {
  const isActive = usePageActive();
  // The state belongs to one loaded window: after another window loads, the reader is not at its end until the timeline reports it.
  const [endReport, setEndReport] = useState({ windowStart, isAtEnd: false });
  const isAtEnd = endReport.windowStart === windowStart && endReport.isAtEnd;

  const newestId = history && !history.hasMoreAfter ? (history.messages.at(-1)?.id ?? null) : null;
  const manualUnread = useManualUnread(isAtEnd);
  const lineAfter = useUnreadLine({ initialUnreadAfter, newestId, lastReadId: project.last_read_message_id, isActive });
  const seenId = isActive && isAtEnd && !manualUnread.isSuspended ? newestId : null;
  useMoveReadMarker(project.id, project.last_read_message_id, seenId);
  // Moving the marker marks notifications too. This is for a mention that an edit adds to a message already read.
  const isAllRead = seenId !== null && seenId <= (project.last_read_message_id ?? 0);
  useSeenNotifications(isAllRead ? { project_id: project.id, kinds: ["mention", "reply"] } : null);
  return {
    isAtEnd,
    onAtEnd: (isNowAtEnd: boolean) => setEndReport({ windowStart, isAtEnd: isNowAtEnd }),
    manualUnread,
    /** Newest message of the chat; null while the end of the chat is not loaded. */
    newestId,
    unreadAfter: manualUnread.firstUnreadId === null ? lineAfter : manualUnread.firstUnreadId - 1,
    isManuallyUnread: manualUnread.firstUnreadId !== null,
  };
}

interface UnreadLineInput {
  /** Id of the message above the unread line when the chat was opened; null for no line. */
  initialUnreadAfter: number | null;
  /** Newest message of the chat; null while the end is not loaded. */
  newestId: number | null;
  lastReadId: number | null;
  isActive: boolean;
}

/**
 * Returns the id of the message above the unread line. The line stays where it was when the chat was opened. If messages arrive while the page is not
 * active and the chat was read to its end, the line moves above them.
 */
function useUnreadLine({ initialUnreadAfter, newestId, lastReadId, isActive }: UnreadLineInput): number | null {
  const [line, setLine] = useState(initialUnreadAfter);
  const [lastSeenId, setLastSeenId] = useState<number | null>(null);
  if (isActive && lastSeenId !== null) setLastSeenId(null);
  if (!isActive && lastSeenId === null && newestId !== null && newestId === lastReadId) setLastSeenId(newestId);
  if (lastSeenId !== null && newestId !== null && newestId > lastSeenId && line !== lastSeenId) setLine(lastSeenId);
  return line;
}

/**
 * Suspends automatic read marking after the reader marks messages as unread. It resumes once the reader returns to the end or leaves the chat, since
 * the state lives only while the chat is shown.
 */
function useManualUnread(isAtEnd: boolean) {
  const [firstUnreadId, setFirstUnreadId] = useState<number | null>(null);
  const [isSuspended, setIsSuspended] = useState(false);
  /** Automatic marking resumes only after the reader leaves the end and returns; `leaving` lasts until the end is out of view. */
  const [endState, setEndState] = useState<"atEnd" | "leaving" | "away">("atEnd");
  if (endState === "leaving" && !isAtEnd) setEndState("away");
  if (isSuspended && isAtEnd && endState === "away") setIsSuspended(false);
  return {
    isSuspended,
    firstUnreadId,
    /** Marks messages as unread from `messageId` on; null reverts that. */
    set(messageId: number | null) {
      setFirstUnreadId(messageId);
      setIsSuspended(messageId !== null);
      setEndState(isAtEnd ? "atEnd" : "away");
    },
    /** Called when the reader scrolls away from the end. */
    leaveEnd: () => setEndState("leaving"),
    resume: () => setIsSuspended(false),
  };
}
