import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOUR, MINUTE } from "../../lib/clock.ts";
import type { Probe } from "../types.ts";
import { DEFAULT_LIMITS, startWatchdog, wallLimitMs } from "./supervise.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createWatchdog() {
  const events: string[] = [];
  return { events, watchdog: startWatchdog(DEFAULT_LIMITS, { onStall: () => events.push("still"), onTimeout: () => events.push("late") }) };
}

test("does not stop a run of eight hours that keeps making progress", () => {
  const { events, watchdog } = createWatchdog();
  for (let elapsedMs = 0; elapsedMs < 8 * HOUR; elapsedMs += 5 * MINUTE) {
    vi.advanceTimersByTime(5 * MINUTE);
    watchdog.reset();
  }
  expect(events).toEqual([]);
  watchdog.stop();
  vi.advanceTimersByTime(48 * HOUR);
  expect(events).toEqual([]);
});

test("stops a run without progress after minutes, not hours", () => {
  const { events, watchdog } = createWatchdog();
  vi.advanceTimersByTime(MINUTE);
  watchdog.reset();
  vi.advanceTimersByTime(DEFAULT_LIMITS.stallTimeoutMs - 1);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(["still"]);
  expect(DEFAULT_LIMITS.stallTimeoutMs).toBeLessThanOrEqual(15 * MINUTE);
});

test("stops a run at the time limit even if it makes progress", () => {
  const { events, watchdog } = createWatchdog();
  for (let elapsedMs = 0; elapsedMs < DEFAULT_LIMITS.wallTimeoutMs; elapsedMs += MINUTE) {
    watchdog.reset();
    vi.advanceTimersByTime(MINUTE);
  }
  expect(events).toEqual(["late"]);
});

test("gives a file time by its size, and by its duration once it is known", () => {
  const song = { kind: "audio", audio: { duration: 240 }, video: null } as Pick<Probe, "kind" | "audio" | "video">;
  const film = { kind: "video", audio: { duration: 3_600 }, video: { duration: 3_600 } } as Pick<Probe, "kind" | "audio" | "video">;
  expect(wallLimitMs(35_000, null)).toBeLessThan(16 * MINUTE);
  expect(wallLimitMs(40_000_000, song)).toBeLessThan(30 * MINUTE);
  // An hour of video on a slow machine.
  expect(wallLimitMs(900_000_000, film)).toBeGreaterThan(10 * HOUR);
});

test("a longer time limit counts from the start", () => {
  const { events, watchdog } = createWatchdog();
  watchdog.setWallTimeout(2 * MINUTE);
  vi.advanceTimersByTime(MINUTE);
  watchdog.setWallTimeout(3 * MINUTE);
  vi.advanceTimersByTime(2 * MINUTE - 1);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(["late"]);
});
