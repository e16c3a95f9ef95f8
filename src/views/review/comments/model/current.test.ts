import { expect, test } from "vitest";
import { currentAt, neighborOf, POINT_LASTS } from "./current.ts";

const notes = [
  { key: "range", at: 1_000, end: 20_000 },
  { key: "point", at: 4_000, end: null },
  { key: "close", at: 6_000, end: null },
  { key: "file", at: null, end: null },
];

test.each([
  [0, undefined],
  [990, "range"],
  [1_000, "range"],
  [3_990, "point"],
  [5_900, "point"],
  [6_000, "close"],
  [6_000 + POINT_LASTS - 1, "close"],
  [6_000 + POINT_LASTS, "range"],
  [20_000, undefined],
])("at %i ms it is %s", (at, key) => expect(currentAt(notes, at)?.key).toBe(key));

test("from one comment to the next and back", () => {
  expect([0, 1_000, 5_000, 6_000].map((at) => neighborOf(notes, at, 1))).toEqual([1_000, 4_000, 6_000, null]);
  expect([6_000, 4_000, 1_000].map((at) => neighborOf(notes, at, -1))).toEqual([4_000, 1_000, null]);
});

test("back again while it plays leads to the one before, the first one stays within reach", () => {
  const back = (at: number) => neighborOf(notes, at, -1, true);
  expect([8_000, 6_400, 4_300, 1_300].map(back)).toEqual([6_000, 4_000, 1_000, 1_000]);
  expect(neighborOf(notes, 6_400, -1)).toBe(6_000);
});
