import { expect, test } from "vitest";
import { barAndBeat, computeBarLabels, computeGridLines, computeTicks } from "./ticks.ts";
import { createView, fullView } from "./viewport.ts";

test("ticks are round times with space between their labels", () => {
  expect(computeTicks(fullView(222, 1_000), 222)).toEqual([0, 30, 60, 90, 120, 150, 180, 210]);
  expect(computeTicks(fullView(222, 350), 222)).toEqual([0, 60, 120, 180]);
});
test("a short track has tenths, a long one hours", () => {
  expect(computeTicks(fullView(0.5, 500), 0.5)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  expect(computeTicks(fullView(36_000, 400), 36_000)).toEqual([0, 10_800, 21_600]);
});
test("a part of the track has its visible ticks and the one whose label is partly visible", () => {
  expect(computeTicks(createView(71, 34, 222, 1_100), 222)).toEqual([70, 75, 80, 85, 90, 95, 100, 105]);
  expect(computeTicks(createView(1_800, 1, 3_600, 1_000), 3_600)).toEqual([
    1_800, 1_800.1, 1_800.2, 1_800.3, 1_800.4, 1_800.5, 1_800.6, 1_800.7, 1_800.8, 1_800.9, 1_801,
  ]);
});
test("nothing is drawn without a duration, width or tempo", () => {
  expect(computeTicks(fullView(0, 500), 0)).toEqual([]);
  expect(computeTicks(fullView(Number.NaN, 500), Number.NaN)).toEqual([]);
  expect(computeTicks(fullView(10, 0), 10)).toEqual([]);
  expect(computeGridLines(fullView(10, 500), 10, { bpm: 0, origin: 0 })).toEqual([]);
  expect(computeBarLabels(fullView(10, 500), 10, { bpm: 0, origin: 0 })).toEqual([]);
});

const TEMPO = { bpm: 120, origin: 0.25 };
test("beats and bars follow the tempo from bar 1, and only bars are drawn when beats have no space", () => {
  const closeLines = computeGridLines(createView(0, 4, 600, 1_000), 600, TEMPO);
  expect(closeLines.map(({ seconds }) => seconds)).toEqual([0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75]);
  expect(closeLines.flatMap(({ seconds, isStrong }) => (isStrong ? seconds : []))).toEqual([0.25, 2.25]);
  const farLines = computeGridLines(fullView(600, 1_000), 600, TEMPO);
  expect([farLines[0], farLines[1]!.seconds - farLines[0]!.seconds, farLines.every(({ isStrong }) => isStrong)]).toEqual([
    { seconds: 0.25, isStrong: true },
    8,
    true,
  ]);
});
test("bars count from 1, and from -1 before the first", () => {
  expect(computeBarLabels(createView(0, 10, 600, 1_000), 600, TEMPO)).toEqual([0, 1, 2, 3, 4].map((n) => ({ seconds: 0.25 + n * 2, bar: n + 1 })));
  expect([0.25, 0.74, 0.75, 2.25, 83.4, 0].map((seconds) => barAndBeat(seconds, TEMPO))).toEqual(["1.1", "1.1", "1.2", "2.1", "42.3", "\u22121.4"]);
});
