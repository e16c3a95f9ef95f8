import { expect, test } from "vitest";
import { clampPaneWidth } from "./PaneEdge.tsx";

test("the pane leaves the larger part of the window to the chat", () => {
  expect(clampPaneWidth(1_000, 1_600)).toBe(672);
  expect(clampPaneWidth(1_000, 2_560)).toBe(1_000);
  expect(clampPaneWidth(5_000, 5_000)).toBe(1_000);
  expect(clampPaneWidth(100, 2_560)).toBe(380);
  expect(clampPaneWidth(600, 800)).toBe(380);
});
