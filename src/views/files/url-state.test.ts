import fc from "fast-check";
import { expect, test } from "vitest";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import { ENTRY_KINDS } from "../../../contract/file-records.ts";
import {
  DEFAULT_URL_STATE,
  folderPath,
  formatSortState,
  formatUrlState,
  getChips,
  parseFolderId,
  recentPath,
  URL_FORMATS,
  URL_FORMATS_WITHOUT_METADATA,
  parseUrlState,
  toggleSort,
  toggleStatus,
  type UrlState,
  withoutChips,
  withoutFilter,
} from "./url-state.ts";

const parse = (search: string) => parseUrlState(new URLSearchParams(search));
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const textArbitrary = (maxLength: number) =>
  fc.string({ unit: "grapheme", minLength: 1, maxLength }).filter((text) => text === text.trim() && [...text].length <= maxLength && text.isWellFormed());
const id = fc.integer({ min: 1, max: 999_999 });
const bpm = fc.integer({ min: 1, max: 9_990 }).map((tenths) => tenths / 10);
const day = fc.date({ min: new Date("1999-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
const sorting = fc.oneof(
  fc.record({ sort: fc.constantFrom(...FILE_SORTS), sortField: fc.constant(null) }),
  fc.record({ sort: fc.constant("name" as const), sortField: id }),
);
const conditionArbitrary = fc
  .tuple(
    id,
    fc.oneof(
      fc.constantFrom({ op: "empty" as const }, { op: "not_empty" as const }),
      fc.record({ op: fc.constantFrom("is" as const, "contains" as const), value: textArbitrary(20) }),
      fc.record({ op: fc.constant("is" as const), value: id }),
      fc.record({ op: fc.constant("range" as const), min: bpm }),
      fc.record({ op: fc.constant("range" as const), min: day, max: day }),
    ),
  )
  .map(([field_id, condition]) => ({ field_id, ...condition }));
const filterArbitrary = fc.record({
  metadata: fc.uniqueArray(conditionArbitrary, { maxLength: 3, selector: ({ field_id }) => field_id }),
  q: fc.oneof(fc.constant(""), textArbitrary(40)),
  kind: nullable(fc.constantFrom(...ENTRY_KINDS)),
  status: fc.uniqueArray(fc.oneof(id, fc.constant("none" as const)), { maxLength: 4 }),
  bpmMin: nullable(bpm),
  bpmMax: nullable(bpm),
  key: nullable(textArbitrary(10)),
  tag: nullable(textArbitrary(20)),
  uploader: nullable(id),
  from: nullable(day),
  to: nullable(day),
  order: fc.constantFrom("asc" as const, "desc" as const),
});
const urlStateArbitrary: fc.Arbitrary<UrlState> = fc.tuple(filterArbitrary, sorting).map(([filter, sort]) => ({ ...filter, ...sort }));

test("the URL contains the whole state", () => {
  fc.assert(
    fc.property(urlStateArbitrary, (urlState) => {
      expect(parse(formatUrlState(urlState))).toEqual(urlState);
    }),
  );
});

test("any URL parses without an error, and its normalized form is stable", () => {
  const paramsArbitrary = fc.dictionary(
    fc.constantFrom("q", "kind", "status", "bpm", "key", "tag", "uploader", "from", "to", "sort", "order", "x", "field-3"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(paramsArbitrary, (parts) => {
      const normalized = formatUrlState(parseUrlState(new URLSearchParams(parts)));
      expect(formatUrlState(parse(normalized))).toBe(normalized);
    }),
  );
});

test("URLs are short and readable", () => {
  expect(formatUrlState(DEFAULT_URL_STATE)).toBe("");
  expect(formatUrlState({ ...DEFAULT_URL_STATE, q: "mix", bpmMin: 118, bpmMax: 130, status: [3, "none"], sort: "size", order: "desc" })).toBe(
    "?q=mix&status=3,none&bpm=118-130&sort=size",
  );
  expect(parse("?bpm=-130")).toMatchObject({ bpmMin: null, bpmMax: 130 });
});

test.each([
  "bpm=abc",
  "bpm=0-",
  "bpm=1000-",
  "kind=song",
  "status=x,0,-1",
  "from=2026-02-30",
  "to=tomorrow",
  "uploader=0",
  "sort=color",
  "order=up",
  "key=%20",
  "field-0=empty",
  "field-3=",
  "field-3=is:",
  "field-3=id:x",
  "field-3=range:..",
  "field-3=larger:5",
])("%s is ignored", (search) => expect(parse(search)).toEqual(DEFAULT_URL_STATE));

test("a column header sorts in its default order, then in the other", () => {
  const bySize = toggleSort(DEFAULT_URL_STATE, "size");
  expect(bySize).toMatchObject({ sort: "size", order: "desc" });
  expect(toggleSort(bySize, "size")).toMatchObject({ sort: "size", order: "asc" });
  expect(toggleSort(bySize, "name")).toMatchObject({ sort: "name", order: "asc" });
});

test("each part of a filter can be removed alone, and all of them together", () => {
  fc.assert(
    fc.property(urlStateArbitrary, (urlState) => {
      const chips = getChips(urlState);
      for (const { name, without } of chips)
        expect(getChips(without(urlState)).map((chip) => chip.name)).toEqual(chips.map((chip) => chip.name).filter((other) => other !== name));
      expect(getChips(withoutFilter(urlState))).toEqual([]);
      expect(withoutFilter(urlState)).toMatchObject({ sort: urlState.sort, order: urlState.order, q: "" });
      expect(withoutChips(urlState)).toEqual({ ...withoutFilter(urlState), q: urlState.q });
    }),
  );
});

test("two changes in a row both apply", () => {
  const bothStatuses = [2, "none" as const].reduce<UrlState>(toggleStatus, DEFAULT_URL_STATE);
  expect(bothStatuses.status).toEqual([2, "none"]);
  expect(toggleStatus(bothStatuses, 2).status).toEqual(["none"]);
  const filteredState: UrlState = { ...bothStatuses, key: "C major", bpmMin: 120 };
  expect(getChips(filteredState).reduce((current, { without }) => without(current), filteredState)).toEqual(DEFAULT_URL_STATE);
});

test("another folder has the same order, but no filter", () => {
  expect([formatSortState(DEFAULT_URL_STATE), formatSortState({ ...DEFAULT_URL_STATE, q: "mix" }), formatSortState(parse("q=mix&sort=changed&key=C"))]).toEqual(
    ["", "", "?sort=changed"],
  );
});

test("a folder id in the URL is parsed, and an invalid one is undefined", () => {
  expect([recentPath(1), folderPath(1, null), folderPath(1, 5)]).toEqual(["/projects/1/files", "/projects/1/files/folders", "/projects/1/files/5"]);
  expect(["folders", "5", "x", "0", "5.5"].map(parseFolderId)).toEqual([null, 5, undefined, undefined, undefined]);
});

test("Recent is sorted by date, newest first, and has no folders", () => {
  const { parse: parseRecent, format } = URL_FORMATS.recent;
  const read = (search: string) => parseRecent(new URLSearchParams(search));
  expect(read("")).toMatchObject({ sort: "changed", order: "desc" });
  expect(read("kind=folder")).toMatchObject({ kind: null });
  for (const search of ["", "?order=asc", "?sort=name", "?sort=name&order=desc", "?sort=field-3", "?sort=field-3&order=desc", "?q=mix&kind=audio"])
    expect(format(read(search))).toBe(search);
  expect(URL_FORMATS_WITHOUT_METADATA.recent.parse(new URLSearchParams("sort=field-3"))).toMatchObject({ sort: "changed", sortField: null, order: "desc" });
});
