import { useState } from "react";

interface Input {
  /** Message above the line when the chat was opened. */
  initialUnreadAfter: number | null;
  /** Newest message of the chat; null while the end is not loaded. */
  newestId: number | null;
  lastReadId: number | null;
  isPageVisible: boolean;
}

/**
 * Returns the message above the unread line. The line stays where it was when the chat was opened; messages that arrive while the page is not visible
 * get a new line if the chat was read to its end.
 */
export function useUnreadLine({ initialUnreadAfter, newestId, lastReadId, isPageVisible }: Input): number | null {
  const [line, setLine] = useState(initialUnreadAfter);
  const [lastSeenId, setLastSeenId] = useState<number | null>(null);
  if (isPageVisible && lastSeenId !== null) setLastSeenId(null);
  if (!isPageVisible && lastSeenId === null && newestId !== null && newestId === lastReadId) setLastSeenId(newestId);
  if (lastSeenId !== null && newestId !== null && newestId > lastSeenId && line !== lastSeenId) setLine(lastSeenId);
  return line;
}
