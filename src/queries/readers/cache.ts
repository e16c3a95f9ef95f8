/** How far the others have read: a mark moves forward only, whichever way the news comes. */
import type { ReaderMark } from "../../../contract/records.ts";

export function withMark(marks: ReaderMark[] | undefined, mark: ReaderMark): ReaderMark[] | undefined {
  if (!marks) return marks;
  const known = marks.find(({ account_id }) => account_id === mark.account_id);
  if (!known) return [...marks, mark];
  return mark.last_read_message_id > known.last_read_message_id ? marks.map((one) => (one === known ? mark : one)) : marks;
}
