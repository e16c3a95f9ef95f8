import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { daysAgo, serviceTime, syncClock } from "./time.ts";

const LOCAL_NOW = Date.UTC(2026, 10, 17, 12);
beforeEach(() => void vi.useFakeTimers({ now: LOCAL_NOW }));
afterEach(() => {
  syncClock(new Date().toUTCString());
  vi.useRealTimers();
});

test.each([-1, 1])("a clock that is off by %i day is corrected by the service's clock", (days) => {
  const serviceNow = LOCAL_NOW + days * 86_400_000;
  syncClock(new Date(serviceNow).toUTCString());
  expect(serviceTime()).toBe(serviceNow);
  expect(daysAgo(serviceNow)).toBe(0);
  vi.advanceTimersByTime(5_000);
  expect(serviceTime()).toBe(serviceNow + 5_000);
  // The browser's clock was corrected meanwhile.
  vi.setSystemTime(serviceNow + 6_000);
  syncClock(new Date(serviceNow + 6_000).toUTCString());
  expect(serviceTime()).toBe(serviceNow + 6_000);
});

test("a small offset or an invalid date corrects nothing", () => {
  syncClock(new Date(LOCAL_NOW + 90_000).toUTCString());
  expect(serviceTime()).toBe(LOCAL_NOW);
  syncClock(new Date(LOCAL_NOW + 900_000).toUTCString());
  for (const invalid of [null, "", "yesterday"]) syncClock(invalid);
  expect(serviceTime()).toBe(LOCAL_NOW + 900_000);
});
