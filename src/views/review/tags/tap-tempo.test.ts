import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_TAPS, MIN_TAPS, addTap, tempoFromTaps, withTap, type Taps } from "./tap-tempo.ts";

const collectTaps = (times: readonly number[]): Taps => times.reduce<Taps>(withTap, []);
const computeTempo = (taps: Taps, rate = 1) => tempoFromTaps({ taps, rate });
const beats = (bpm: number, count: number, from = 1_000) => Array.from({ length: count }, (_, index) => from + (index * 60_000) / bpm);

test("there is no tempo before the fourth tap", () => {
  expect([1, 2, 3].map((count) => computeTempo(collectTaps(beats(120, count))))).toEqual([null, null, null]);
  expect(computeTempo(collectTaps(beats(120, MIN_TAPS)))).toBe(120);
});

test.each([40, 61.7, 90, 128, 174, 240])("exact taps at %d bpm", (bpm) => expect(computeTempo(collectTaps(beats(bpm, 12)))).toBeCloseTo(bpm, 1));

test("taps that are up to 30 ms off are within two percent of the tempo after 16 taps", () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 180 }), fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 16, maxLength: 16 }), (bpm, offsets) => {
      const taps = beats(bpm, 16).map((timeMs, index) => timeMs + offsets[index]!);
      expect(Math.abs(computeTempo(collectTaps(taps))! - bpm)).toBeLessThan(bpm * 0.02);
    }),
  );
});

test("a missed beat does not halve the tempo", () => {
  const taps = beats(128, 12).filter((_, index) => index !== 5);
  expect(computeTempo(collectTaps(taps))).toBe(128);
});

test("a pause starts over, at slow tempos a longer one", () => {
  expect(collectTaps([...beats(120, 8), 60_000, 60_500])).toEqual([60_000, 60_500]);
  expect(collectTaps(beats(32, 6)).length).toBe(6);
});

test("a repeated key is one tap, and a clock that goes back starts over", () => {
  expect(collectTaps([1_000, 1_030, 1_060, 1_500])).toEqual([1_000, 1_500]);
  expect(collectTaps([5_000, 1_000])).toEqual([1_000]);
});

test("any taps give a valid tempo or none", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true })), (times) => {
      const bpm = computeTempo(collectTaps(times));
      expect(bpm === null || (Number.isFinite(bpm) && bpm > 0 && bpm <= 500)).toBe(true);
    }),
  );
});

test("taps at another playback rate give the track's own tempo, and changing the rate starts over", () => {
  expect(computeTempo(beats(60, 8), 0.5)).toBe(120);
  expect(computeTempo(beats(180, 8), 1.5)).toBe(120);
  const slow = beats(60, 3).reduce((sequence, timeMs) => addTap(sequence, timeMs, 0.5), NO_TAPS);
  expect(addTap(slow, 4_000, 0.5)).toMatchObject({ taps: { length: 4 }, rate: 0.5 });
  expect(addTap(slow, 4_000, 1)).toEqual({ taps: [4_000], rate: 1 });
});
