import { expect, test } from "vitest";
import { layOutTicks } from "./overview-ticks.ts";

const at = (startMs: number | null, key = String(startMs)) => ({ key, startMs, endMs: null });
const summarize = (ticks: ReturnType<typeof layOutTicks>) => ticks.map(({ x, items }) => [x, items.map(({ key }) => key)]);

test("each comment has a tick at its place in the file, in order, and one without a position has none", () => {
  expect(summarize(layOutTicks([at(90_000), at(null), at(30_000)], 100, 1_000))).toEqual([
    [300, ["30000"]],
    [900, ["90000"]],
  ]);
});

test("ticks that would overlap become one, and those at the ends stay inside", () => {
  expect(summarize(layOutTicks([at(0), at(1_500), at(3_200), at(100_000)], 100, 1_000))).toEqual([
    [8, ["0", "1500"]],
    [32, ["3200"]],
    [992, ["100000"]],
  ]);
});

test("a comment after the end of a shorter version has no tick, and an unknown length none at all", () => {
  expect(layOutTicks([at(5_000)], 4, 1_000)).toEqual([]);
  expect(layOutTicks([at(5_000)], 0, 1_000)).toEqual([]);
});
