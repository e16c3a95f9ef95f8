import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Unread from a message on, by hand: nothing is marked as read by itself until its reader goes to the end again.
 * Leaving the chat ends it too, since it lives as long as the chat is shown.
 */
export function useManualUnread(atEnd: boolean) {
  const [firstUnreadId, setFirstUnreadId] = useState<number | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  /** Only who was away can come back: `leaving` until the end is really out of view. */
  const [readerPosition, setReaderPosition] = useState<"here" | "leaving" | "away">("here");
  if (readerPosition === "leaving" && !atEnd) setReaderPosition("away");
  if (isHeld && atEnd && readerPosition === "away") setIsHeld(false);
  const isAtEnd = useRef(atEnd);
  useEffect(() => {
    isAtEnd.current = atEnd;
  });
  return {
    isHeld,
    /** The first message that counts as unread; the line stands above it. */
    firstUnreadId,
    /** null: not after all. */
    set: useCallback((messageId: number | null) => {
      setFirstUnreadId(messageId);
      setIsHeld(messageId !== null);
      setReaderPosition(isAtEnd.current ? "here" : "away");
    }, []),
    /** The reader goes away from the end. */
    leaveEnd: () => setReaderPosition("leaving"),
    release: () => setIsHeld(false),
  };
}
