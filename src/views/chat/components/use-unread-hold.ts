import { useCallback, useState } from "react";

/**
 * Unread from a message on, by hand: nothing is marked as read by itself until its reader goes to the end again.
 * Leaving the chat ends it too, since it lives as long as the chat is shown.
 */
export function useUnreadHold(atEnd: boolean) {
  const [from, setFrom] = useState<number | null>(null);
  const [holding, setHolding] = useState(false);
  const [wasAway, setWasAway] = useState(false);
  if (holding && !atEnd && !wasAway) setWasAway(true);
  if (holding && atEnd && wasAway) setHolding(false);
  return {
    holding,
    /** The first message that counts as unread; the line stands above it. */
    from,
    /** null: not after all. */
    hold: useCallback((messageId: number | null) => {
      setFrom(messageId);
      setHolding(messageId !== null);
      setWasAway(false);
    }, []),
    release: () => setHolding(false),
  };
}
