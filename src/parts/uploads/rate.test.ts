import { expect, test } from "vitest";
import { addSample, NO_RATE, secondsLeft, speedOf, type Rate } from "./rate.ts";

/** Samples one upload once a second, with these numbers of sent bytes. */
const sampled = (sent: number[], from: Rate = NO_RATE) =>
  sent.reduce((rate, bytes, second) => addSample(rate, [{ id: "u1", sent: bytes }], second * 1_000), from);

test("is told after two seconds, from what went out in between", () => {
  expect(speedOf(sampled([0, 1_000]))).toBeNull();
  expect(speedOf(sampled([0, 1_000, 2_000, 3_000]))).toBe(1_000);
});

test("follows the line: what was long ago does not count", () => {
  const fast = Array.from({ length: 30 }, (_, second) => second * 9_000);
  const slow = Array.from({ length: 30 }, (_, second) => fast.at(-1)! + second * 1_000);
  expect(speedOf(sampled([...fast, ...slow]))).toBe(1_000);
});

test("what an earlier page has sent is not speed, and an upload that begins anew does not count backwards", () => {
  expect(speedOf(sampled([0, 700_000_000, 700_001_000, 700_002_000]))).toBeCloseTo(2_000 / 3);
  expect(speedOf(sampled([0, 3_000, 0, 3_000]))).toBe(2_000);
});

test("small files that come and go are counted", () => {
  let rate = addSample(
    NO_RATE,
    [
      { id: "a", sent: 0 },
      { id: "b", sent: 0 },
    ],
    0,
  );
  rate = addSample(
    rate,
    [
      { id: "a", sent: 500 },
      { id: "b", sent: 0 },
    ],
    1_000,
  );
  rate = addSample(rate, [{ id: "b", sent: 500 }], 2_000);
  expect(speedOf(rate)).toBe(500);
});

test("the time left is what is left at that speed, and nothing where nothing moves", () => {
  expect(secondsLeft(6_000, 1_000)).toBe(6);
  expect(secondsLeft(6_000, 0)).toBeNull();
  expect(secondsLeft(6_000, null)).toBeNull();
});
