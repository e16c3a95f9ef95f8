import { expect, test } from "vitest";
import { MediaFailure } from "../failure.ts";
import { createDecodeBudget, outputLimit } from "./budget.ts";

/** Spends in large amounts until the budget is used up, and returns the failure and what was spent. */
function spendAll(unit: "audio" | "video", bytes: number, amount: number): { spent: number; failure: MediaFailure } {
  const spend = createDecodeBudget(unit, bytes);
  for (let spent = 0; ; spent += amount) {
    try {
      spend(amount);
    } catch (error) {
      return { spent, failure: error as MediaFailure };
    }
  }
}

test("a small file has a floor, a larger one grows with its size, and none exceeds the ceiling", () => {
  expect(spendAll("audio", 1_000, 1e6).spent).toBe(60e6);
  expect(spendAll("audio", 100_000, 1e6).spent).toBe(250e6);
  expect(spendAll("audio", 600_000, 1e6).spent).toBe(1.5e9);
  expect(spendAll("audio", 2e9, 1e9).spent).toBe(20e9);
  expect(spendAll("video", 1_000, 1e8).spent).toBe(18.7e9);
  expect(spendAll("video", 10_000_000, 1e9).spent).toBe(500e9);
  expect([outputLimit(1_000), outputLimit(10_000_000)]).toEqual([64e6, 300e6]);
});

test("8 MB of silence made by hand decode to a sixth of the ceiling, and recordings that people make are allowed", () => {
  expect(spendAll("audio", 8e6, 1e6).spent).toBe(3.35e9);
  const hour = 3_600;
  const recordings: [string, seconds: number, samplesPerSecond: number, samplesPerByte: number][] = [
    ["an hour of silence at 192 kHz in FLAC", hour, 2 * 192_000, 2_030],
    ["eight hours of a muted microphone in Opus", 8 * hour, 2 * 48_000, 422],
    ["eight hours of eight channels with sound in FLAC", 8 * hour, 8 * 48_000, 100],
    ["two days of speech at 6 kbit/s", 48 * hour, 48_000, 64],
  ];
  for (const [name, seconds, samplesPerSecond, samplesPerByte] of recordings) {
    const samples = seconds * samplesPerSecond;
    expect(() => createDecodeBudget("audio", samples / samplesPerByte)(samples), name).not.toThrow();
  }
});

test("the failure names what there is too much of, or that the recording is too long", () => {
  expect(spendAll("video", 1_000, 1e9).failure).toMatchObject({ code: "too-dense", message: expect.stringContaining("far more video than its size") });
  expect(spendAll("audio", 1_000, 1e8).failure).toMatchObject({ code: "too-dense", message: expect.stringContaining("far more audio than its size") });
  expect(spendAll("audio", 2e9, 1e9).failure).toMatchObject({ code: "too-long", message: expect.stringContaining("longer than this service can process") });
});
