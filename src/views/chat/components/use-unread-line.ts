import { useState } from "react";

interface Input {
  /** Where the line stood when the chat was opened. */
  opened: number | null;
  /** Newest message of the chat; null while the end is not loaded. */
  newestId: number | null;
  lastReadId: number | null;
  attentive: boolean;
}

/**
 * The message above the unread line. It stays where it was when the chat was opened;
 * what arrives while nobody looks at a chat that was read to its end gets a line of its own.
 */
export function useUnreadLine({ opened, newestId, lastReadId, attentive }: Input): number | null {
  const [line, setLine] = useState(opened);
  const [leftAt, setLeftAt] = useState<number | null>(null);
  if (attentive && leftAt !== null) setLeftAt(null);
  if (!attentive && leftAt === null && newestId !== null && newestId === lastReadId) setLeftAt(newestId);
  if (leftAt !== null && newestId !== null && newestId > leftAt && line !== leftAt) setLine(leftAt);
  return line;
}
