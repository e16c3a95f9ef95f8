import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOUR, MINUTE } from "../../lib/clock.ts";
import { LIMITS } from "./supervise.ts";
import { startWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const told: string[] = [];
  return { told, dog: startWatchdog(LIMITS, { still: () => told.push("still"), late: () => told.push("late") }) };
}

test("eight hours of a film on a slow machine are no reason to stop, as long as it gets on", () => {
  const { told, dog } = watched();
  for (let passed = 0; passed < 8 * HOUR; passed += 5 * MINUTE) {
    vi.advanceTimersByTime(5 * MINUTE);
    dog.alive();
  }
  expect(told).toEqual([]);
  dog.end();
  vi.advanceTimersByTime(48 * HOUR);
  expect(told).toEqual([]);
});

test("what stands still is stopped after minutes, not hours", () => {
  const { told, dog } = watched();
  vi.advanceTimersByTime(MINUTE);
  dog.alive();
  vi.advanceTimersByTime(LIMITS.stillMs - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["still"]);
  expect(LIMITS.stillMs).toBeLessThanOrEqual(15 * MINUTE);
});

test("what gets on for ever ends all the same", () => {
  const { told, dog } = watched();
  for (let passed = 0; passed < LIMITS.wallMs; passed += MINUTE) {
    dog.alive();
    vi.advanceTimersByTime(MINUTE);
  }
  expect(told).toEqual(["late"]);
});
