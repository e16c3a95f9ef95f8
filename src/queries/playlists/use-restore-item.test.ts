import { expect, test } from "vitest";
import { findAnchor } from "./use-restore-item.ts";

test("a restored track goes before the next neighbor that is left, also one that was restored itself", () => {
  expect(findAnchor([2, 3], new Map(), [1, 2, 3])).toBe(2);
  // 2 was removed too, so that 1 goes before 3.
  expect(findAnchor([2, 3], new Map(), [3])).toBe(3);
  // 2 was removed and restored twice, as 12 and 22.
  expect(
    findAnchor(
      [2, 3],
      new Map([
        [2, 12],
        [12, 22],
      ]),
      [22, 3],
    ),
  ).toBe(22);
  expect(findAnchor([2], new Map(), [])).toBeNull();
});
