import { expect, test } from "vitest";
import { findFileStart, stepsBack } from "./file-history.ts";

test("a page that was opened from another one leads back past its own entries", () => {
  const start = findFileStart({ idx: 3 });
  expect(start).toBe(3);
  // Two versions were chosen, each with a new entry.
  expect(findFileStart({ idx: 5 }, start)).toBe(3);
  expect(stepsBack({ idx: 5, fileStart: 3 })).toBe(-3);
  expect(stepsBack({ idx: 3, fileStart: 3 })).toBe(-1);
});

test("after a reload of a later entry the recorded start counts", () => {
  expect(findFileStart({ idx: 5, fileStart: 3 })).toBe(3);
});

test("steps never lead to the same page, which would reload it", () => {
  expect(findFileStart({ idx: 2 }, 4)).toBe(2);
  expect(stepsBack({ idx: 2, fileStart: 4 })).toBe(-1);
});

test("a page that was opened by its address has no page before", () => {
  expect(stepsBack({})).toBeNull();
  expect(stepsBack({ idx: 2, fileStart: 0 })).toBeNull();
});
