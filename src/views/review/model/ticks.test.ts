import { expect, test } from "vitest";
import { barAndBeat, barsIn, gridIn, ticksIn } from "./ticks.ts";
import { looking, whole } from "./viewport.ts";

test("round times with room between them", () => {
  expect(ticksIn(whole(222, 1_000), 222)).toEqual([0, 30, 60, 90, 120, 150, 180, 210]);
  expect(ticksIn(whole(222, 350), 222)).toEqual([0, 60, 120, 180]);
});
test("tenths in a short sound, hours in a long one", () => {
  expect(ticksIn(whole(0.5, 500), 0.5)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  expect(ticksIn(whole(36_000, 400), 36_000)).toEqual([0, 10_800, 21_600]);
});
test("of a stretch those in sight, and the one whose words reach in", () => {
  expect(ticksIn(looking(71, 34, 222, 1_100), 222)).toEqual([70, 75, 80, 85, 90, 95, 100, 105]);
  expect(ticksIn(looking(1_800, 1, 3_600, 1_000), 3_600)).toEqual([
    1_800, 1_800.1, 1_800.2, 1_800.3, 1_800.4, 1_800.5, 1_800.6, 1_800.7, 1_800.8, 1_800.9, 1_801,
  ]);
});
test("nothing where nothing is known", () => {
  expect(ticksIn(whole(0, 500), 0)).toEqual([]);
  expect(ticksIn(whole(Number.NaN, 500), Number.NaN)).toEqual([]);
  expect(ticksIn(whole(10, 0), 10)).toEqual([]);
  expect(gridIn(whole(10, 500), 10, { bpm: 0, origin: 0 })).toEqual([]);
  expect(barsIn(whole(10, 500), 10, { bpm: 0, origin: 0 })).toEqual([]);
});

const TEMPO = { bpm: 120, origin: 0.25 };
test("beats and bars lie on the tempo from where bar 1 begins; bars alone where beats have no room", () => {
  const close = gridIn(looking(0, 4, 600, 1_000), 600, TEMPO);
  expect(close.map(({ seconds }) => seconds)).toEqual([0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75]);
  expect(close.flatMap(({ seconds, strong }) => (strong ? seconds : []))).toEqual([0.25, 2.25]);
  const far = gridIn(whole(600, 1_000), 600, TEMPO);
  expect([far[0], far[1]!.seconds - far[0]!.seconds, far.every(({ strong }) => strong)]).toEqual([{ seconds: 0.25, strong: true }, 8, true]);
});
test("bars are counted from 1, and from -1 before it", () => {
  expect(barsIn(looking(0, 10, 600, 1_000), 600, TEMPO)).toEqual([0, 1, 2, 3, 4].map((n) => ({ seconds: 0.25 + n * 2, bar: n + 1 })));
  expect([0.25, 0.74, 0.75, 2.25, 83.4, 0].map((seconds) => barAndBeat(seconds, TEMPO))).toEqual(["1.1", "1.1", "1.2", "2.1", "42.3", "\u22121.4"]);
});
