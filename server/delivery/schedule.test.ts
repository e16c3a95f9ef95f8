import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { DISABLE_ENDPOINT_AFTER_MS, nextRetryDelayMs, parseRetryAfter, RETRY_DELAYS_MS } from "./schedule.ts";

describe("the retry schedule", () => {
  test("ends after ten attempts in more than three days", () => {
    const delays = Array.from({ length: 11 }, (_, step) => nextRetryDelayMs(step, null, 0.5));
    expect(delays).toEqual([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000, null, null]);
    expect(RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(3 * DAY);
  });
  test("ends before a failing endpoint is disabled, even with the longest delays", () => {
    const longest = RETRY_DELAYS_MS.reduce((sum, _, step) => sum + (nextRetryDelayMs(step, null, 1) ?? 0), 0);
    expect(longest).toBeLessThan(DISABLE_ENDPOINT_AFTER_MS);
  });
  test("varies each delay by up to 20% in either direction", () => {
    expect(nextRetryDelayMs(2, null, 0)).toBe(24 * MINUTE);
    expect(nextRetryDelayMs(2, null, 1)).toBe(36 * MINUTE);
  });
  test("waits as long as Retry-After asks, up to a day, and never less than scheduled", () => {
    expect(nextRetryDelayMs(0, HOUR, 0.5)).toBe(HOUR);
    expect(nextRetryDelayMs(0, 400 * DAY, 0.5)).toBe(DAY);
    expect(nextRetryDelayMs(3, 1 * SECOND, 0.5)).toBe(2 * HOUR);
    expect(nextRetryDelayMs(9, HOUR, 0.5)).toBeNull();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-02T09:00:00Z");
  test.each<[string | undefined, string | undefined, number | null]>([
    [undefined, undefined, null],
    ["120", undefined, 120 * SECOND],
    [" 0 ", undefined, 0],
    ["Mon, 02 Mar 2026 09:10:00 GMT", undefined, 10 * MINUTE],
    // The receiver's clock is an hour ahead; it asks for two minutes.
    ["Mon, 02 Mar 2026 10:02:00 GMT", "Mon, 02 Mar 2026 10:00:00 GMT", 2 * MINUTE],
    ["Mon, 02 Mar 2026 08:00:00 GMT", undefined, 0],
    ["soon", undefined, null],
    ["-5", undefined, null],
    ["Mon, 02 Mar 2026 09:10:00 GMT", "rubbish", 10 * MINUTE],
    ["99999999999999999999", undefined, null],
  ])("%s (Date: %s) is %s ms", (value, date, expected) => {
    expect(parseRetryAfter(value, date, now)).toBe(expected);
  });
});
