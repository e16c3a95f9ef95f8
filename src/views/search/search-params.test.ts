import { expect, test } from "vitest";
import { countFilters, formatSearchParams, parseSearchParams, searchForms, toSearchQuery, withoutFilters, type SearchParams } from "./search-params.ts";

const NONE: SearchParams = { q: "", kind: null, projectId: null, personId: null, from: "", to: "" };
const parse = (query: string) => parseSearchParams(new URLSearchParams(query));

test.each<[string, Partial<SearchParams>]>([
  ["", {}],
  [
    "q=bass&kind=file&project=3&person=5&from=2026-03-01&to=2026-03-31",
    { q: "bass", kind: "file", projectId: 3, personId: 5, from: "2026-03-01", to: "2026-03-31" },
  ],
  ["kind=folder&project=x&person=0&from=2026-02-30&to=soon", {}],
  ["project=-1&person=1e3", {}],
  [`q=${"x".repeat(300)}`, { q: "x".repeat(200) }],
])("the URL ?%s is the search %j", (query, expected) => {
  expect(parse(query)).toEqual({ ...NONE, ...expected });
  expect(parse(formatSearchParams(parse(query)))).toEqual(parse(query));
});

test("the service gets no query without a text, and days as times in the reader's time zone, the last one included", () => {
  expect(toSearchQuery({ ...NONE, q: "  ", projectId: 3 })).toBeNull();
  expect(toSearchQuery({ ...NONE, q: "bass", kind: "file" })).toEqual({ q: "bass" });
  expect(toSearchQuery({ ...NONE, q: "bass", projectId: 3, personId: 5, from: "2026-03-01", to: "2026-03-01" })).toEqual({
    q: "bass",
    project_id: 3,
    account_id: 5,
    since: new Date(2026, 2, 1).toISOString(),
    until: new Date(2026, 2, 2).toISOString(),
  });
});

test("a span of days is one filter, and the kind is none", () => {
  const params = { ...NONE, q: "bass", kind: "file" as const, projectId: 3, from: "2026-03-01", to: "2026-03-31" };
  expect(countFilters(params)).toBe(2);
  expect(countFilters(withoutFilters(params))).toBe(0);
  expect(withoutFilters(params)).toEqual({ ...NONE, q: "bass", kind: "file" });
});

test("the field keeps what is typed while the URL follows, and takes over another search", () => {
  const typed = searchForms.submit(searchForms.create(NONE), { ...NONE, q: "bass" });
  const typedOn = searchForms.submit(typed, { ...NONE, q: "bass drum" });
  expect(searchForms.syncWithUrl(typedOn, { ...NONE, q: "bass" }).fields.q).toBe("bass drum");
  expect(searchForms.syncWithUrl(typedOn, { ...NONE, q: "harp" }).fields.q).toBe("harp");
});
