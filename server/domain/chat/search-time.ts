/** A span of time as marks of the search index: whole years, and months at its ends. */
import { FILTER_TOKEN } from "../../db/search.ts";

/** Epoch milliseconds: from `since` on, before `until`. */
export interface TimeSpan {
  since: number;
  until: number;
}

/** More is not narrowed down: a chat over so many years has messages that are dated wrongly. */
const MAX_TIME_FILTERS = 120;

/**
 * One of these a message must have to be of the span; at the ends they allow for a month too much. Empty: the span has no message.
 * null: nothing to narrow, the whole chat is of the span. `chatSpan`: from its first message on, before the moment after its last.
 */
export function timeSpanFilters(since: number | undefined, until: number | undefined, chatSpan: TimeSpan): string[] | null {
  const [from, end] = [Math.max(since ?? chatSpan.since, chatSpan.since), Math.min(until ?? chatSpan.until, chatSpan.until)];
  if (from >= end) return [];
  if (from === chatSpan.since && end === chatSpan.until) return null;
  const filters: string[] = [];
  const [first, last] = [new Date(from), new Date(end - 1)];
  let [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const [lastYear, lastMonth] = [last.getUTCFullYear(), last.getUTCMonth()];
  while (year < lastYear || (year === lastYear && month <= lastMonth)) {
    if (filters.length === MAX_TIME_FILTERS) return null;
    if (month === 0 && (year < lastYear || lastMonth === 11)) filters.push(FILTER_TOKEN.year(startOfMonth(year, 0)));
    else filters.push(FILTER_TOKEN.month(startOfMonth(year, month++)));
    if (month === 0 || month === 12) [year, month] = [year + 1, 0];
  }
  return filters;
}

/** `Date.UTC` takes years below 100 for those of the last century. */
const startOfMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);
