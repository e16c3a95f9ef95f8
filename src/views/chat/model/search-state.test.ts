import { expect, it } from "vitest";
import { isFiltered, EMPTY_SEARCH, formatSearch, parseSearch, toSearchQuery } from "./search-state.ts";

const parse = (query: string) => parseSearch(new URLSearchParams(query));

it("the address tells what is searched for, and is told by it", () => {
  expect(parse("")).toBeNull();
  expect(parse("search=")).toEqual(EMPTY_SEARCH);
  const all = { q: "bass & hot", by: 3, from: "2026-03-01", to: "2026-03-31", has: "link" } as const;
  expect(parse(formatSearch(all))).toEqual(all);
  expect(parse(formatSearch(EMPTY_SEARCH))).toEqual(EMPTY_SEARCH);
  expect([isFiltered(all), isFiltered({ ...EMPTY_SEARCH, q: "bass" })]).toEqual([true, false]);
});
it("what makes no sense is passed over", () => {
  expect(parse("search=x&by=-1&from=2026-02-30&to=never&has=virus")).toEqual({ ...EMPTY_SEARCH, q: "x" });
  expect(parse(`search=${"x".repeat(300)}`)?.q).toHaveLength(200);
});
it("the last day belongs to it", () => {
  expect(toSearchQuery({ ...EMPTY_SEARCH, from: "2026-03-29", to: "2026-03-29" })).toEqual({
    since: new Date(2026, 2, 29).toISOString(),
    until: new Date(2026, 2, 30).toISOString(),
  });
  expect(toSearchQuery({ ...EMPTY_SEARCH, q: "  " })).toEqual({});
  expect(toSearchQuery({ ...EMPTY_SEARCH, q: "a ", by: 2, has: "file" })).toEqual({ q: "a ", account_id: 2, has: "file" });
});
