import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noteServiceTime, now } from "./clock.ts";
import { daysAgo } from "./time.ts";

const HERE = Date.UTC(2026, 10, 17, 12);
beforeEach(() => void vi.useFakeTimers({ now: HERE }));
afterEach(() => {
  noteServiceTime(new Date().toUTCString());
  vi.useRealTimers();
});

test.each([-1, 1])("a clock that is off by %i day is put right by the service's", (days) => {
  const there = HERE + days * 86_400_000;
  noteServiceTime(new Date(there).toUTCString());
  expect(now()).toBe(there);
  expect(daysAgo(there)).toBe(0);
  vi.advanceTimersByTime(5_000);
  expect(now()).toBe(there + 5_000);
  // Set right meanwhile.
  vi.setSystemTime(there + 6_000);
  noteServiceTime(new Date(there + 6_000).toUTCString());
  expect(now()).toBe(there + 6_000);
});

test("a little off is no wrong clock, and what is no time teaches nothing", () => {
  noteServiceTime(new Date(HERE + 90_000).toUTCString());
  expect(now()).toBe(HERE);
  noteServiceTime(new Date(HERE + 900_000).toUTCString());
  for (const strange of [null, "", "yesterday"]) noteServiceTime(strange);
  expect(now()).toBe(HERE + 900_000);
});
