import fc from "fast-check";
import { expect, test } from "vitest";
import { computeBars, barsPath } from "./bars.ts";

test("each bar is the loudest value under it", () => {
  expect(computeBars([0.1, 0.9, 0.2, 0.3, 0, 0.4], 3)).toEqual([0.9, 0.3, 0.4]);
});
test("more bars than values: a value covers several", () => {
  expect(computeBars([0.2, 0.8], 4)).toEqual([0.2, 0.2, 0.8, 0.8]);
});
test("nothing to draw, nowhere to draw", () => {
  expect(computeBars([], 10)).toEqual([]);
  expect(computeBars([1], 0)).toEqual([]);
});
test("no peak is lost and none is invented, whatever the room", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 500 }), (wave, count) => {
      const bars = computeBars(wave, count);
      expect(bars).toHaveLength(count);
      expect(Math.max(...bars)).toBe(Math.max(...wave));
      for (const bar of bars) expect(wave).toContain(bar);
    }),
  );
});
test("values out of bounds stay in the box, no numbers are silence", () => {
  expect(computeBars([3, Number.NaN, -0.5], 3)).toEqual([1, 0, 0.5]);
});
test("the path stays within its box, ends of strokes included", () => {
  expect(barsPath([1, 0], 4, 20, 2)).toBe("M2 1V19M6 9.99V10.01");
});
