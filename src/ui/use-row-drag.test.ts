import fc from "fast-check";
import { expect, test } from "vitest";
import { moveItem, indexForKey, dropIndex, rowOffset } from "./use-row-drag.ts";

test("moving a row preserves the order of the others", () => {
  const list = ["a", "b", "c", "d"];
  expect([moveItem(list, 0, 2), moveItem(list, 3, 0), moveItem(list, 1, 1), moveItem(list, 1, 9), moveItem(list, 9, 0)]).toEqual([
    ["b", "c", "a", "d"],
    ["d", "a", "b", "c"],
    list,
    ["a", "c", "d", "b"],
    list,
  ]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(20), fc.integer({ min: -5, max: 25 }), (all, from, to) => {
      const next = moveItem(all, from, to);
      expect(next.toSorted()).toEqual(all.toSorted());
      const others = (items: readonly number[]) => items.filter((item) => item !== all[from]);
      expect(others(next)).toEqual(others(all));
    }),
  );
});

test("a row lands where more than half of it is, and never outside the list", () => {
  expect([0, 23, 25, 50, -25, 900, -900].map((pixels) => dropIndex(2, pixels, 48, 5))).toEqual([2, 2, 3, 3, 1, 4, 0]);
  expect(dropIndex(1, 30, 0, 5)).toBe(1);
});

test("arrow keys, Home and End move a row", () => {
  expect(["ArrowUp", "ArrowDown", "Home", "End", "x"].map((key) => indexForKey(key, 0, 4))).toEqual([0, 1, 0, 3, null]);
});

test("rows in between shift, the others stay", () => {
  const dragState = { id: 1, from: 1, to: 3, offset: 0, height: 40 };
  expect([0, 2, 3, 4].map((index) => rowOffset(index, dragState))).toEqual([0, -40, -40, 0]);
  expect([0, 1, 2, 4].map((index) => rowOffset(index, { ...dragState, from: 3, to: 1 }))).toEqual([0, 40, 40, 0]);
});
