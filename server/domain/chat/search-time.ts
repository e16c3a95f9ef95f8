/** A span of time as marks of the search index: whole years, and months at its ends. */
import { MARK } from "../../db/search.ts";

/** Epoch milliseconds: from `since` on, before `until`. */
export interface Span {
  since: number;
  until: number;
}

/** More is not narrowed down: a chat over so many years has messages that are dated wrongly. */
const MOST_MARKS = 120;

/**
 * One of these a message must have to be of the span; at the ends they allow for a month too much. Empty: the span has no message.
 * null: nothing to narrow, the whole chat is of the span. `chat`: from its first message on, before the moment after its last.
 */
export function marksOfSpan(since: number | undefined, until: number | undefined, chat: Span): string[] | null {
  const [from, end] = [Math.max(since ?? chat.since, chat.since), Math.min(until ?? chat.until, chat.until)];
  if (from >= end) return [];
  if (from === chat.since && end === chat.until) return null;
  const marks: string[] = [];
  const [first, last] = [new Date(from), new Date(end - 1)];
  let [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const [lastYear, lastMonth] = [last.getUTCFullYear(), last.getUTCMonth()];
  while (year < lastYear || (year === lastYear && month <= lastMonth)) {
    if (marks.length === MOST_MARKS) return null;
    if (month === 0 && (year < lastYear || lastMonth === 11)) marks.push(MARK.year(startOf(year, 0)));
    else marks.push(MARK.month(startOf(year, month++)));
    if (month === 0 || month === 12) [year, month] = [year + 1, 0];
  }
  return marks;
}

/** `Date.UTC` takes years below 100 for those of the last century. */
const startOf = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);
