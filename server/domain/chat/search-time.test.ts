/** Spans of time narrow the search: to all that is of them, and to little more. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marksOf } from "../../db/search.ts";
import { marksOfSpan } from "./search-time.ts";

const at = (text: string) => Date.parse(text);
const orNone = (text: string | undefined) => (text === undefined ? undefined : at(text));
const chat = { since: at("2013-05-20T10:00:00Z"), until: at("2026-11-21T09:00:00Z") };
const MONTH = 31 * 86_400_000;

describe("marks of a span", () => {
  it.each<[string, string | undefined, string | undefined, string[] | null]>([
    ["only an end: years, and months at both ends", undefined, "2015-02-10T00:00:00Z", [...months("2013", 5, 12), "_y2014", "_m201501", "_m201502"]],
    ["an end on a year's first moment takes nothing of that year", undefined, "2015-01-01T00:00:00Z", [...months("2013", 5, 12), "_y2014"]],
    ["only a beginning, years ago", "2024-12-31T00:00:00Z", undefined, ["_m202412", "_y2025", ...months("2026", 1, 11)]],
    ["within a month", "2020-02-03T00:00:00Z", "2020-02-04T00:00:00Z", ["_m202002"]],
    ["a whole year", "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", ["_y2020"]],
    ["all of it", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", null],
    ["before it", undefined, "2013-05-20T10:00:00Z", []],
    ["after it", "2026-11-21T09:00:00Z", undefined, []],
    ["the wrong way round", "2020-02-04T00:00:00Z", "2020-02-03T00:00:00Z", []],
  ])("%s", (_what, since, until, marks) => expect(marksOfSpan(orNone(since), orNone(until), chat)).toEqual(marks));

  function months(year: string, first: number, last: number): string[] {
    return Array.from({ length: last - first + 1 }, (_, index) => `_m${year}${String(first + index).padStart(2, "0")}`);
  }

  it("in years before the hundredth too", () => {
    const old = { since: at("0001-01-01T00:00:00Z"), until: at("0003-01-01T00:00:00Z") };
    expect(marksOfSpan(at("0002-01-01T00:00:00Z"), undefined, old)).toEqual(["_y0002"]);
  });
  it("a chat over many centuries is not narrowed, rather than asked for endlessly", () =>
    expect(marksOfSpan(undefined, at("2000-01-01T00:00:00Z"), { since: at("0001-01-01T00:00:00Z"), until: chat.until })).toBeNull());

  it("any span: every message of it has a mark, none that is more than a month away, and there are few", () => {
    const moment = fc.integer({ min: chat.since - 3 * MONTH, max: chat.until + 3 * MONTH });
    const end = fc.option(moment, { nil: undefined });
    fc.assert(
      fc.property(end, end, fc.integer({ min: chat.since, max: chat.until - 1 }), (since, until, createdAt) => {
        const marks = marksOfSpan(since, until, chat);
        const has = marks === null || marksOf({ projectId: 1, accountId: 1, createdAt, link: false, file: false }).some((mark) => marks.includes(mark));
        if (createdAt >= (since ?? 0) && createdAt < (until ?? Number.POSITIVE_INFINITY)) expect(has).toBe(true);
        if (createdAt < (since ?? 0) - MONTH || createdAt > (until ?? Number.POSITIVE_INFINITY) + MONTH) expect(has).toBe(false);
        expect(marks?.length ?? 0).toBeLessThanOrEqual(14 + 22);
      }),
      { numRuns: 2_000 },
    );
  });
});
