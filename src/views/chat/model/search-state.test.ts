import { expect, it } from "vitest";
import { isFiltered, NOTHING, paramsOf, searchedIn, wishOf } from "./search-state.ts";

const at = (query: string) => searchedIn(new URLSearchParams(query));

it("the address tells what is searched for, and is told by it", () => {
  expect(at("")).toBeNull();
  expect(at("search=")).toEqual(NOTHING);
  const all = { q: "bass & hot", by: 3, from: "2026-03-01", to: "2026-03-31", has: "link" } as const;
  expect(at(paramsOf(all))).toEqual(all);
  expect(at(paramsOf(NOTHING))).toEqual(NOTHING);
  expect([isFiltered(all), isFiltered({ ...NOTHING, q: "bass" })]).toEqual([true, false]);
});
it("what makes no sense is passed over", () => {
  expect(at("search=x&by=-1&from=2026-02-30&to=never&has=virus")).toEqual({ ...NOTHING, q: "x" });
  expect(at(`search=${"x".repeat(300)}`)?.q).toHaveLength(200);
});
it("the last day belongs to it", () => {
  expect(wishOf({ ...NOTHING, from: "2026-03-29", to: "2026-03-29" })).toEqual({
    since: new Date(2026, 2, 29).toISOString(),
    until: new Date(2026, 2, 30).toISOString(),
  });
  expect(wishOf({ ...NOTHING, q: "  " })).toEqual({});
  expect(wishOf({ ...NOTHING, q: "a ", by: 2, has: "file" })).toEqual({ q: "a ", account_id: 2, has: "file" });
});
