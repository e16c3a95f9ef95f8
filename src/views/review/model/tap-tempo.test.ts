import fc from "fast-check";
import { expect, test } from "vitest";
import { STEADY_AFTER, tempoOfTaps, withTap, type Taps } from "./tap-tempo.ts";

const tapped = (times: readonly number[]): Taps => times.reduce<Taps>(withTap, []);
const beats = (bpm: number, count: number, from = 1_000) => Array.from({ length: count }, (_, index) => from + (index * 60_000) / bpm);

test("nothing is told before the fourth tap", () => {
  expect([1, 2, 3].map((count) => tempoOfTaps(tapped(beats(120, count))))).toEqual([null, null, null]);
  expect(tempoOfTaps(tapped(beats(120, STEADY_AFTER)))).toBe(120);
});

test.each([40, 61.7, 90, 128, 174, 240])("exact taps at %d", (bpm) => expect(tempoOfTaps(tapped(beats(bpm, 12)))).toBeCloseTo(bpm, 1));

test("hands that are up to 30 ms off are within two beats per minute of it after 16 taps", () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 180 }), fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 16, maxLength: 16 }), (bpm, off) => {
      const taps = beats(bpm, 16).map((at, index) => at + off[index]!);
      expect(Math.abs(tempoOfTaps(tapped(taps))! - bpm)).toBeLessThan(bpm * 0.02);
    }),
  );
});

test("a beat that was left out does not halve the tempo", () => {
  const taps = beats(128, 12).filter((_, index) => index !== 5);
  expect(tempoOfTaps(tapped(taps))).toBe(128);
});

test("after a pause it begins anew, at slow tempos after a longer one", () => {
  expect(tapped([...beats(120, 8), 60_000, 60_500])).toEqual([60_000, 60_500]);
  expect(tapped(beats(32, 6)).length).toBe(6);
});

test("a key that repeats is one tap, and a clock that goes back begins anew", () => {
  expect(tapped([1_000, 1_030, 1_060, 1_500])).toEqual([1_000, 1_500]);
  expect(tapped([5_000, 1_000])).toEqual([1_000]);
});

test("whatever is tapped, it is a tempo or nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true })), (times) => {
      const bpm = tempoOfTaps(tapped(times));
      expect(bpm === null || (Number.isFinite(bpm) && bpm > 0 && bpm <= 500)).toBe(true);
    }),
  );
});
