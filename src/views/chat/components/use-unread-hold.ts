import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Unread from a message on, by hand: nothing is marked as read by itself until its reader goes to the end again.
 * Leaving the chat ends it too, since it lives as long as the chat is shown.
 */
export function useUnreadHold(atEnd: boolean) {
  const [from, setFrom] = useState<number | null>(null);
  const [holding, setHolding] = useState(false);
  /** Only who was away can come back: `leaving` until the end is really out of view. */
  const [place, setPlace] = useState<"here" | "leaving" | "away">("here");
  if (place === "leaving" && !atEnd) setPlace("away");
  if (holding && atEnd && place === "away") setHolding(false);
  const isAtEnd = useRef(atEnd);
  useEffect(() => {
    isAtEnd.current = atEnd;
  });
  return {
    holding,
    /** The first message that counts as unread; the line stands above it. */
    from,
    /** null: not after all. */
    hold: useCallback((messageId: number | null) => {
      setFrom(messageId);
      setHolding(messageId !== null);
      setPlace(isAtEnd.current ? "here" : "away");
    }, []),
    /** The reader goes away from the end. */
    left: () => setPlace("leaving"),
    release: () => setHolding(false),
  };
}
