import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClock, daysAgo } from "./time.ts";

const LOCAL_NOW = Date.UTC(2026, 10, 17, 12);
beforeEach(() => void vi.useFakeTimers({ now: LOCAL_NOW }));
afterEach(() => void vi.useRealTimers());

test.each([-1, 1])("a clock that is off by %i day is corrected by the service's clock", (days) => {
  const clock = createClock();
  const serviceNow = LOCAL_NOW + days * 86_400_000;
  clock.sync(new Date(serviceNow).toUTCString());
  expect(clock.now()).toBe(serviceNow);
  expect(daysAgo(serviceNow, clock.now())).toBe(0);
  vi.advanceTimersByTime(5_000);
  expect(clock.now()).toBe(serviceNow + 5_000);
  // The browser's clock was corrected meanwhile.
  vi.setSystemTime(serviceNow + 6_000);
  clock.sync(new Date(serviceNow + 6_000).toUTCString());
  expect(clock.now()).toBe(serviceNow + 6_000);
});

test("a small offset or an invalid date corrects nothing", () => {
  const clock = createClock();
  clock.sync(new Date(LOCAL_NOW + 90_000).toUTCString());
  expect(clock.now()).toBe(LOCAL_NOW);
  clock.sync(new Date(LOCAL_NOW + 900_000).toUTCString());
  for (const invalid of [null, "", "yesterday"]) clock.sync(invalid);
  expect(clock.now()).toBe(LOCAL_NOW + 900_000);
});
