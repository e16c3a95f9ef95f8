/** Tests of time filters in search: they cover every message of the span and little beyond it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterTokens } from "../../db/search.ts";
import { timeSpanFilters } from "./message-search.ts";

const timestamp = (text: string) => Date.parse(text);
const optionalTimestamp = (text: string | undefined) => (text === undefined ? undefined : timestamp(text));
const chatSpan = { since: timestamp("2013-05-20T10:00:00Z"), until: timestamp("2026-11-21T09:00:00Z") };
const MONTH_MS = 31 * 86_400_000;

describe("filters of a time span", () => {
  it.each<[string, string | undefined, string | undefined, string[] | null]>([
    ["only an end: years, with months at both ends", undefined, "2015-02-10T00:00:00Z", [...months("2013", 5, 12), "_y2014", "_m201501", "_m201502"]],
    ["an end at the first moment of a year excludes that year", undefined, "2015-01-01T00:00:00Z", [...months("2013", 5, 12), "_y2014"]],
    ["only a start, years ago", "2024-12-31T00:00:00Z", undefined, ["_m202412", "_y2025", ...months("2026", 1, 11)]],
    ["within a month", "2020-02-03T00:00:00Z", "2020-02-04T00:00:00Z", ["_m202002"]],
    ["a whole year", "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", ["_y2020"]],
    ["the whole chat", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", null],
    ["a span before the chat", undefined, "2013-05-20T10:00:00Z", []],
    ["a span after the chat", "2026-11-21T09:00:00Z", undefined, []],
    ["an end before the start", "2020-02-04T00:00:00Z", "2020-02-03T00:00:00Z", []],
  ])("%s", (_title, since, until, filters) => expect(timeSpanFilters(optionalTimestamp(since), optionalTimestamp(until), chatSpan)).toEqual(filters));

  function months(year: string, first: number, last: number): string[] {
    return Array.from({ length: last - first + 1 }, (_, index) => `_m${year}${String(first + index).padStart(2, "0")}`);
  }

  it("support years before 100", () => {
    const ancientSpan = { since: timestamp("0001-01-01T00:00:00Z"), until: timestamp("0003-01-01T00:00:00Z") };
    expect(timeSpanFilters(timestamp("0002-01-01T00:00:00Z"), undefined, ancientSpan)).toEqual(["_y0002"]);
  });
  it("are omitted for a chat that spans centuries", () =>
    expect(timeSpanFilters(undefined, timestamp("2000-01-01T00:00:00Z"), { since: timestamp("0001-01-01T00:00:00Z"), until: chatSpan.until })).toBeNull());

  it("match every message of any span and none more than a month away, with few filters", () => {
    const timestamps = fc.integer({ min: chatSpan.since - 3 * MONTH_MS, max: chatSpan.until + 3 * MONTH_MS });
    const boundary = fc.option(timestamps, { nil: undefined });
    fc.assert(
      fc.property(boundary, boundary, fc.integer({ min: chatSpan.since, max: chatSpan.until - 1 }), (since, until, createdAt) => {
        const filters = timeSpanFilters(since, until, chatSpan);
        const isIncluded =
          filters === null || filterTokens({ projectId: 1, accountId: 1, createdAt, link: false, file: false }).some((filter) => filters.includes(filter));
        if (createdAt >= (since ?? 0) && createdAt < (until ?? Number.POSITIVE_INFINITY)) expect(isIncluded).toBe(true);
        if (createdAt < (since ?? 0) - MONTH_MS || createdAt > (until ?? Number.POSITIVE_INFINITY) + MONTH_MS) expect(isIncluded).toBe(false);
        expect(filters?.length ?? 0).toBeLessThanOrEqual(14 + 22);
      }),
      { numRuns: 2_000 },
    );
  });
});
