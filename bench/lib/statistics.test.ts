import { expect, it } from "vitest";
import { median, percentile, ratiosOf, summarize } from "./statistics.ts";

it("finds the middle value, and the mean of the two in the middle", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBe(0);
});

it("finds percentiles without reordering the values", () => {
  const values = [5, 3, 1, 2, 4, 10, 9, 8, 7, 6];
  expect(percentile(values, 0.95)).toBe(10);
  expect(percentile(values, 0.5)).toBe(6);
  expect(percentile([], 0.5)).toBe(0);
  expect(values[0]).toBe(5);
});

it("summarizes by median and range", () => expect(summarize([3, 1, 2])).toEqual({ median: 2, lowest: 1, highest: 3 }));

it("divides round by round, and a yardstick of 0 has no ratio", () => {
  expect(ratiosOf([10, 30], [20, 10])).toEqual([0.5, 3]);
  expect(ratiosOf([1, 2, 3], [2])).toEqual([0.5]);
  expect(ratiosOf([1], [0])).toEqual([Number.NaN]);
});
