import fc from "fast-check";
import { expect, test } from "vitest";
import { computeBars, barsPath } from "./bars.ts";

test("each bar is the loudest value under it", () => {
  expect(computeBars([0.1, 0.9, 0.2, 0.3, 0, 0.4], 3)).toEqual([0.9, 0.3, 0.4]);
});
test("with more bars than values, a value fills several bars", () => {
  expect(computeBars([0.2, 0.8], 4)).toEqual([0.2, 0.2, 0.8, 0.8]);
});
test("without values or without bars the result is empty", () => {
  expect(computeBars([], 10)).toEqual([]);
  expect(computeBars([1], 0)).toEqual([]);
});
test("the loudest value is always drawn, and every bar is one of the values", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 500 }), (wave, count) => {
      const bars = computeBars(wave, count);
      expect(bars).toHaveLength(count);
      expect(Math.max(...bars)).toBe(Math.max(...wave));
      for (const bar of bars) expect(wave).toContain(bar);
    }),
  );
});
test("bars are limited to 1, and NaN counts as silence", () => {
  expect(computeBars([3, Number.NaN, -0.5], 3)).toEqual([1, 0, 0.5]);
});
test("the path stays within its box, including the ends of strokes", () => {
  expect(barsPath([1, 0], 4, 20, 2)).toBe("M2 1V19M6 9.99V10.01");
});
