import fc from "fast-check";
import { expect, test } from "vitest";
import { FILE_SORTS } from "../../../../contract/file-order.ts";
import { ENTRY_KINDS } from "../../../../contract/file-records.ts";
import { chipsOf } from "./chips.ts";
import { alongWith, folderIn, folderPath, PLAIN, searchOf, shownIn, sortedBy, withoutFilter, withStatus, type Shown } from "./url-state.ts";

const read = (search: string) => shownIn(new URLSearchParams(search));
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const word = (most: number) =>
  fc.string({ unit: "grapheme", minLength: 1, maxLength: most }).filter((text) => text === text.trim() && [...text].length <= most && text.isWellFormed());
const id = fc.integer({ min: 1, max: 999_999 });
const bpm = fc.integer({ min: 1, max: 9_990 }).map((tenths) => tenths / 10);
const day = fc.date({ min: new Date("1999-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
const shown: fc.Arbitrary<Shown> = fc.record({
  q: fc.oneof(fc.constant(""), word(40)),
  kind: orNull(fc.constantFrom(...ENTRY_KINDS)),
  status: fc.uniqueArray(fc.oneof(id, fc.constant("none" as const)), { maxLength: 4 }),
  bpmMin: orNull(bpm),
  bpmMax: orNull(bpm),
  key: orNull(word(10)),
  tag: orNull(word(20)),
  uploader: orNull(id),
  from: orNull(day),
  to: orNull(day),
  sort: fc.constantFrom(...FILE_SORTS),
  order: fc.constantFrom("asc" as const, "desc" as const),
});

test("what is shown is in the address, whole, and read from it again", () => {
  fc.assert(
    fc.property(shown, (one) => {
      expect(read(searchOf(one))).toEqual(one);
    }),
  );
});

test("whatever an address says is read without a fault, and written the same ever after", () => {
  const anything = fc.dictionary(
    fc.constantFrom("q", "kind", "status", "bpm", "key", "tag", "uploader", "from", "to", "sort", "order", "x"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(anything, (parts) => {
      const once = searchOf(shownIn(new URLSearchParams(parts)));
      expect(searchOf(read(once))).toBe(once);
    }),
  );
});

test("addresses are short and legible", () => {
  expect(searchOf(PLAIN)).toBe("");
  expect(searchOf({ ...PLAIN, q: "mix", bpmMin: 118, bpmMax: 130, status: [3, "none"], sort: "size", order: "desc" })).toBe(
    "?q=mix&status=3,none&bpm=118-130&sort=size",
  );
  expect(read("?bpm=-130")).toMatchObject({ bpmMin: null, bpmMax: 130 });
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
])("%s is no filter", (search) => expect(read(search)).toEqual(PLAIN));

test("a column's head sorts in its usual order, then in the other", () => {
  const bySize = sortedBy(PLAIN, "size");
  expect(bySize).toMatchObject({ sort: "size", order: "desc" });
  expect(sortedBy(bySize, "size")).toMatchObject({ sort: "size", order: "asc" });
  expect(sortedBy(bySize, "name")).toMatchObject({ sort: "name", order: "asc" });
});

test("each part of a filter can be taken away alone, and all together", () => {
  fc.assert(
    fc.property(shown, (one) => {
      const chips = chipsOf(one);
      for (const { name, without } of chips)
        expect(chipsOf(without(one)).map((chip) => chip.name)).toEqual(chips.map((chip) => chip.name).filter((other) => other !== name));
      expect(chipsOf(withoutFilter(one))).toEqual([]);
      expect(withoutFilter(one)).toMatchObject({ sort: one.sort, order: one.order, q: "" });
    }),
  );
});

test("of two acts one after the other both hold", () => {
  const both = [2, "none" as const].reduce<Shown>(withStatus, PLAIN);
  expect(both.status).toEqual([2, "none"]);
  expect(withStatus(both, 2).status).toEqual(["none"]);
  const filtered: Shown = { ...both, key: "C major", bpmMin: 120 };
  expect(chipsOf(filtered).reduce((now, { without }) => without(now), filtered)).toEqual(PLAIN);
});

test("the order goes along to another folder, the filter does not", () => {
  expect([alongWith(PLAIN), alongWith({ ...PLAIN, q: "mix" }), alongWith(read("q=mix&sort=changed&key=C"))]).toEqual(["", "", "?sort=changed"]);
});

test("folders in addresses", () => {
  expect([folderPath(1, null), folderPath(1, 5)]).toEqual(["/projects/1/files", "/projects/1/files/5"]);
  expect([undefined, "5", "x", "0", "5.5"].map(folderIn)).toEqual([null, 5, undefined, undefined, undefined]);
});
