import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Suspends automatic read marking after the reader marks messages as unread. It resumes once the reader returns to the end or leaves the chat, since
 * the state lives only while the chat is shown.
 */
export function useManualUnread(atEnd: boolean) {
  const [firstUnreadId, setFirstUnreadId] = useState<number | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  /** The reader must leave the end before returning counts: `leaving` lasts until the end is out of view. */
  const [readerPosition, setReaderPosition] = useState<"here" | "leaving" | "away">("here");
  if (readerPosition === "leaving" && !atEnd) setReaderPosition("away");
  if (isHeld && atEnd && readerPosition === "away") setIsHeld(false);
  const isAtEnd = useRef(atEnd);
  useEffect(() => {
    isAtEnd.current = atEnd;
  });
  return {
    isHeld,
    /** The first unread message, below the unread line. */
    firstUnreadId,
    /** Null reverts the mark. */
    set: useCallback((messageId: number | null) => {
      setFirstUnreadId(messageId);
      setIsHeld(messageId !== null);
      setReaderPosition(isAtEnd.current ? "here" : "away");
    }, []),
    /** Called when the reader scrolls away from the end. */
    leaveEnd: () => setReaderPosition("leaving"),
    release: () => setIsHeld(false),
  };
}
