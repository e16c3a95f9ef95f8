import { expect, test } from "vitest";
import { mayFollow, REST, shiftFor } from "./hand.ts";

test("it follows while nobody is at it, and again some time after a scroll by hand", () => {
  expect(mayFollow({ isInside: false, scrolledAt: null }, 0)).toBe(true);
  expect(mayFollow({ isInside: true, scrolledAt: null }, 0)).toBe(false);
  expect([REST - 1, REST].map((passed) => mayFollow({ isInside: false, scrolledAt: 1_000 }, 1_000 + passed))).toEqual([false, true]);
});

test.each([
  ["in view", { top: 120, bottom: 180 }, 0],
  ["above", { top: 40, bottom: 90 }, -68],
  ["below", { top: 280, bottom: 340 }, 48],
  ["taller than the view", { top: 180, bottom: 900 }, 72],
])("a row %s", (_, row, shift) => expect(shiftFor(row, { top: 100, bottom: 300 }, 8)).toBe(shift));
