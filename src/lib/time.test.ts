import { expect, test } from "vitest";
import { daysAgo, formatDayTime, formatRelativeTime, formatLongDay, formatShortDay } from "./time.ts";

const at = (text: string) => new Date(text).getTime();
const now = at("2026-11-20T15:00:00");

test.each([
  ["2026-11-20T14:59:30", "just now"],
  ["2026-11-20T15:00:20", "just now"],
  ["2026-11-20T14:55:00", "5 minutes ago"],
  ["2026-11-20T12:00:00", "3 hours ago"],
  ["2026-11-20T18:00:00", "in 3 hours"],
  ["2026-11-19T23:30:00", "yesterday"],
  ["2026-11-21T16:00:00", "tomorrow"],
  ["2026-11-15T10:00:00", "5 days ago"],
])("%s is formatted as %s", (date, text) => {
  expect(formatRelativeTime(at(date), now)).toBe(text);
});

test("old times are formatted as a day, with the year when it differs", () => {
  expect(formatRelativeTime(at("2026-10-01T10:00:00"), now)).toBe(formatShortDay(at("2026-10-01T10:00:00"), now));
  expect(formatShortDay(at("2026-10-01T10:00:00"), now)).not.toContain("2026");
  expect(formatShortDay(at("2025-10-01T10:00:00"), now)).toContain("2025");
  expect(formatDayTime(at("2025-10-01T10:05:00"), now)).toMatch(/2025, 10:05/);
  expect(formatLongDay(at("2026-11-17T10:00:00"), now)).toMatch(/Tuesday.*(17|November).*(17|November)/);
  expect(formatLongDay(at("2025-11-17T10:00:00"), now)).toContain("2025");
});

test("daysAgo counts calendar days, whatever the hour and the clock change", () => {
  expect(daysAgo(at("2026-11-20T00:00:00"), now)).toBe(0);
  expect(daysAgo(at("2026-11-19T23:59:59"), now)).toBe(1);
  expect(daysAgo(at("2026-10-24T12:00:00"), at("2026-10-26T01:00:00"))).toBe(2);
  expect(daysAgo(at("2026-03-28T23:00:00"), at("2026-03-30T01:00:00"))).toBe(2);
});
