/** Converts a time span to search index tokens: whole years, plus months at both ends. */
import { FILTER_TOKEN } from "../../db/search.ts";

/** Epoch milliseconds: `since` is inclusive, `until` exclusive. */
export interface TimeSpan {
  since: number;
  until: number;
}

/** A longer span is not narrowed, because a chat over that many years contains messages with wrong dates. */
const MAX_TIME_FILTERS = 120;

/**
 * Returns tokens of which a message in the span has at least one; at each end they may cover up to a month too much. Empty: no message can
 * match. null: the span covers the whole chat or needs too many tokens. `chatSpan`: from the first message until just after the last one.
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

/** Avoids `Date.UTC`, which maps years below 100 to the 20th century. */
const startOfMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);
