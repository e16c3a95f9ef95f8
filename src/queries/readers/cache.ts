/** Tracks how far the others have read a chat; a mark only moves forward, whatever the order of updates. */
import type { ReaderMark } from "../../../contract/records.ts";

export function withReaderMark(marks: ReaderMark[] | undefined, mark: ReaderMark): ReaderMark[] | undefined {
  if (!marks) return marks;
  const existing = marks.find(({ account_id }) => account_id === mark.account_id);
  if (!existing) return [...marks, mark];
  return mark.last_read_message_id > existing.last_read_message_id ? marks.map((current) => (current === existing ? mark : current)) : marks;
}
