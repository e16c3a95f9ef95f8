import { expect, test } from "vitest";
import { computeRowWindow } from "./use-row-window.ts";

test("the row window covers the viewport and little more, and stays within the list", () => {
  for (const top of [0, 3, 440, 9_999, 440_000 - 700]) {
    const { from, to } = computeRowWindow(top, 700, 44, 10_000);
    expect(from * 44).toBeLessThanOrEqual(top);
    expect(to * 44).toBeGreaterThanOrEqual(Math.min(top + 700, 440_000));
    expect(to - from).toBeLessThan(60);
  }
  expect(computeRowWindow(0, 700, 44, 3)).toEqual({ from: 0, to: 3 });
  expect(computeRowWindow(0, 0, 44, 0)).toEqual({ from: 0, to: 0 });
});
