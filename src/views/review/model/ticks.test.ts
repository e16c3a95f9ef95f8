import { expect, test } from "vitest";
import { ticksOf } from "./ticks.ts";

test("round times with room between them", () => {
  expect(ticksOf(222, 1_000)).toEqual([0, 30, 60, 90, 120, 150, 180, 210]);
  expect(ticksOf(222, 350)).toEqual([0, 60, 120, 180]);
});
test("tenths in a short sound, hours in a long one", () => {
  expect(ticksOf(0.5, 500)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  expect(ticksOf(36_000, 400)).toEqual([0, 10_800, 21_600]);
});
test("nothing where nothing is known", () => {
  expect(ticksOf(0, 500)).toEqual([]);
  expect(ticksOf(Number.NaN, 500)).toEqual([]);
  expect(ticksOf(10, 0)).toEqual([]);
});
