import { expect, test } from "vitest";
import { canAutoScroll, MANUAL_SCROLL_PAUSE_MS, scrollOffset } from "./use-auto-scroll.ts";

test("the list scrolls unless somebody is using it, and some time after a manual scroll", () => {
  expect(canAutoScroll({ isInside: false, scrolledAt: null }, 0)).toBe(true);
  expect(canAutoScroll({ isInside: true, scrolledAt: null }, 0)).toBe(false);
  expect([MANUAL_SCROLL_PAUSE_MS - 1, MANUAL_SCROLL_PAUSE_MS].map((passed) => canAutoScroll({ isInside: false, scrolledAt: 1_000 }, 1_000 + passed))).toEqual([
    false,
    true,
  ]);
});

test.each([
  ["in view", { top: 120, bottom: 180 }, 0],
  ["above", { top: 40, bottom: 90 }, -68],
  ["below", { top: 280, bottom: 340 }, 48],
  ["taller than the view", { top: 180, bottom: 900 }, 72],
])("scrolling to a row %s", (_, row, offset) => expect(scrollOffset(row, { top: 100, bottom: 300 }, 8)).toBe(offset));
