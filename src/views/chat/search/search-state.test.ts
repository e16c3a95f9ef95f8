import { expect, it, test } from "vitest";
import {
  createFormState,
  EMPTY_SEARCH,
  formatSearch,
  isFiltered,
  isSubmitted,
  parseSearch,
  type SearchFormState,
  type SearchState,
  submitFields,
  syncWithUrl,
  toSearchQuery,
  withSearch,
} from "./search-state.ts";

const parse = (query: string) => parseSearch(new URLSearchParams(query));

it("the URL contains the whole search", () => {
  expect(parse("")).toBeNull();
  expect(parse("search=")).toEqual(EMPTY_SEARCH);
  const all = { q: "bass & hot", by: 3, from: "2026-03-01", to: "2026-03-31", has: "link" } as const;
  expect(parse(formatSearch(all))).toEqual(all);
  expect(parse(formatSearch(EMPTY_SEARCH))).toEqual(EMPTY_SEARCH);
  expect([isFiltered(all), isFiltered({ ...EMPTY_SEARCH, q: "bass" })]).toEqual([true, false]);
});
it("a change of the search leaves the file beside the chat alone, but follows no comment again", () => {
  const current = new URLSearchParams("search=bass&has=link&file=5&v=2&comment=9");
  expect(withSearch(current, { ...EMPTY_SEARCH, q: "drums" }).toString()).toBe("search=drums&file=5&v=2");
  expect(withSearch(current, null).toString()).toBe("file=5&v=2");
});
it("invalid parameters are ignored", () => {
  expect(parse("search=x&by=-1&from=2026-02-30&to=never&has=virus")).toEqual({ ...EMPTY_SEARCH, q: "x" });
  expect(parse(`search=${"x".repeat(300)}`)?.q).toHaveLength(200);
});
it("the last day is included", () => {
  expect(toSearchQuery({ ...EMPTY_SEARCH, from: "2026-03-29", to: "2026-03-29" })).toEqual({
    since: new Date(2026, 2, 29).toISOString(),
    until: new Date(2026, 2, 30).toISOString(),
  });
  expect(toSearchQuery({ ...EMPTY_SEARCH, q: "  " })).toEqual({});
  expect(toSearchQuery({ ...EMPTY_SEARCH, q: "a ", by: 2, has: "file" })).toEqual({ q: "a ", account_id: 2, has: "file" });
});

const createSearch = (q: string, overrides: Partial<SearchState> = {}): SearchState => ({ ...EMPTY_SEARCH, q, ...overrides });
const typeQuery = (form: SearchFormState, q: string): SearchFormState => ({ ...form, fields: { ...form.fields, q } });

test("a late URL update removes no typed letters", () => {
  let form = typeQuery(createFormState(EMPTY_SEARCH), "bas");
  expect(isSubmitted(form)).toBe(false);
  form = submitFields(form, form.fields);
  // Rerenders before the URL has updated.
  form = syncWithUrl(form, EMPTY_SEARCH);
  expect(form.fields.q).toBe("bas");
  form = typeQuery(form, "bass dr");
  form = submitFields(form, form.fields);
  form = typeQuery(form, "bass drum");
  form = syncWithUrl(form, createSearch("bas"));
  expect(form.fields.q).toBe("bass drum");
  form = syncWithUrl(form, createSearch("bass dr"));
  expect(form.fields.q).toBe("bass drum");
  expect(isSubmitted(form)).toBe(false);
  form = syncWithUrl(submitFields(form, form.fields), createSearch("bass drum"));
  expect([form.fields.q, form.pendingKeys, isSubmitted(form)]).toEqual(["bass drum", [], true]);
});

test("a filter chosen before the URL contains the previous one is added to it", () => {
  let form = submitFields(createFormState(createSearch("bass")), createSearch("bass", { by: 3 }));
  form = submitFields(form, { ...form.fields, has: "link" });
  expect(form.fields).toEqual(createSearch("bass", { by: 3, has: "link" }));
  // The first navigation was superseded and never reaches the URL.
  form = syncWithUrl(form, createSearch("bass", { by: 3, has: "link" }));
  expect([form.fields.by, form.fields.has, form.pendingKeys]).toEqual([3, "link", []]);
});

test("going back restores the earlier search in the fields, even after it was replaced or text was typed", () => {
  let form = syncWithUrl(submitFields(createFormState(createSearch("kick")), createSearch("snare")), createSearch("snare"));
  form = syncWithUrl(form, createSearch("kick", { by: 3 }));
  expect(form.fields).toEqual(createSearch("kick", { by: 3 }));
  form = syncWithUrl(typeQuery(form, "half typ"), createSearch("snare"));
  expect(form.fields).toEqual(createSearch("snare"));
});

test("a value that the URL cannot contain starts no other search", () => {
  const form = submitFields(createFormState(EMPTY_SEARCH), createSearch("bass", { from: "nonsense" }));
  expect(syncWithUrl(form, createSearch("bass")).fields.from).toBe("nonsense");
  expect(submitFields(form, form.fields).pendingKeys).toHaveLength(1);
});
