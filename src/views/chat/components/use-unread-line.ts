import { useState } from "react";

interface Input {
  /** Where the line stood when the chat was opened. */
  initialUnreadAfter: number | null;
  /** Newest message of the chat; null while the end is not loaded. */
  newestId: number | null;
  lastReadId: number | null;
  isPageVisible: boolean;
}

/**
 * The message above the unread line. It stays where it was when the chat was opened;
 * what arrives while nobody looks at a chat that was read to its end gets a line of its own.
 */
export function useUnreadLine({ initialUnreadAfter, newestId, lastReadId, isPageVisible }: Input): number | null {
  const [line, setLine] = useState(initialUnreadAfter);
  const [lastSeenId, setLastSeenId] = useState<number | null>(null);
  if (isPageVisible && lastSeenId !== null) setLastSeenId(null);
  if (!isPageVisible && lastSeenId === null && newestId !== null && newestId === lastReadId) setLastSeenId(newestId);
  if (lastSeenId !== null && newestId !== null && newestId > lastSeenId && line !== lastSeenId) setLine(lastSeenId);
  return line;
}
