import { expect, test } from "vitest";
import { findCurrent, adjacentStart, POINT_DURATION_MS } from "./playback.ts";

const items = [
  { key: "range", startMs: 1_000, endMs: 20_000 },
  { key: "point", startMs: 4_000, endMs: null },
  { key: "close", startMs: 6_000, endMs: null },
  { key: "file", startMs: null, endMs: null },
];

test.each([
  [0, undefined],
  [990, "range"],
  [1_000, "range"],
  [3_990, "point"],
  [5_900, "point"],
  [6_000, "close"],
  [6_000 + POINT_DURATION_MS - 1, "close"],
  [6_000 + POINT_DURATION_MS, "range"],
  [20_000, undefined],
])("at %i ms the current comment is %s", (positionMs, key) => expect(findCurrent(items, positionMs)?.key).toBe(key));

test("adjacentStart returns the next and the previous comment", () => {
  const adjacent = (step: 1 | -1) => (position: number) => adjacentStart(items, { position, isPlaying: false }, step);
  expect([0, 1, 5, 6].map(adjacent(1))).toEqual([1_000, 4_000, 6_000, null]);
  expect([6, 4, 1].map(adjacent(-1))).toEqual([4_000, 1_000, null]);
});

test("going back during playback leads to the comment before the current one, except at the first", () => {
  const goBack = (position: number) => adjacentStart(items, { position, isPlaying: true }, -1);
  expect([8, 6.4, 4.3, 1.3].map(goBack)).toEqual([6_000, 4_000, 1_000, 1_000]);
  expect(adjacentStart(items, { position: 6.4, isPlaying: false }, -1)).toBe(6_000);
});
