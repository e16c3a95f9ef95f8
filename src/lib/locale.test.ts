import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { daysUntil, endOfDay, formatDay, parseDateTimeInput, startOfDay, toDateInput, toDateTimeInput } from "./days.ts";
import { formatNumber } from "./format.ts";
import { setLocale, toLocal } from "./locale.ts";
import { daysAgo, formatDateTime, formatTime } from "./time.ts";

afterEach(() => setLocale({}));

describe("in the account's time zone", () => {
  // Fourteen hours ahead of UTC, so that no machine that runs this test is in it.
  beforeEach(() => setLocale({ locale: "en-GB", time_zone: "Pacific/Kiritimati" }));

  test("times and days are those of its clocks", () => {
    expect(formatTime("2026-11-17T11:30:00Z")).toBe("01:30");
    expect(formatDateTime("2026-11-17T11:30:00Z")).toMatch(/Wednesday.*18 November 2026/);
    expect(toDateInput(new Date("2026-11-17T11:30:00Z"))).toBe("2026-11-18");
    expect(daysAgo("2026-11-17T09:59:00Z", "2026-11-17T10:01:00Z")).toBe(1);
  });

  test("a due date is a day of its calendar", () => {
    const now = new Date("2026-12-31T11:00:00Z");
    expect(daysUntil("2027-01-01T00:00:00.000Z", now)).toBe(0);
    expect(daysUntil("2026-12-31T00:00:00.000Z", now)).toBe(-1);
    expect(formatDay("2026-12-31", now)).toContain("2026");
  });

  test("days and fields turn into moments", () => {
    expect(startOfDay("2026-11-18")).toEqual(new Date("2026-11-17T10:00:00Z"));
    expect(endOfDay("2026-11-18")).toEqual(new Date("2026-11-18T10:00:00Z"));
    expect(endOfDay("2026-11-31")).toBeNull();
    expect(toDateTimeInput(new Date("2026-11-17T11:30:59Z"))).toBe("2026-11-18T01:30");
    expect(parseDateTimeInput("2026-11-18T01:30")).toBe(Date.parse("2026-11-17T11:30:00Z"));
  });
});

test("a day with a clock change has 23 or 25 hours", () => {
  setLocale({ time_zone: "America/New_York" });
  const hours = (day: string) => (endOfDay(day)!.getTime() - startOfDay(day)!.getTime()) / 3_600_000;
  expect([hours("2026-03-08"), hours("2026-03-09"), hours("2026-11-01")]).toEqual([23, 24, 25]);
  // An hour and a half after the clocks went forward.
  expect(parseDateTimeInput("2026-03-08T03:30")).toBe(Date.parse("2026-03-08T07:30:00Z"));
  expect(toLocal("2026-03-08T06:59:00Z") - Date.parse("2026-03-08T06:59:00Z")).toBe(-5 * 3_600_000);
  expect(toLocal("2026-03-08T07:00:00Z") - Date.parse("2026-03-08T07:00:00Z")).toBe(-4 * 3_600_000);
});

test.each([
  ["Asia/Kathmandu", "17:15"],
  ["Etc/UTC", "11:30"],
])("in %s it is %s", (time_zone, time) => {
  setLocale({ locale: "en-GB", time_zone });
  expect(formatTime("2026-11-17T11:30:00Z")).toBe(time);
  expect(toDateTimeInput(new Date("2026-11-17T11:30:00Z")).slice(11)).toBe(time);
});

test("a time zone that the browser does not know stands for its own", () => {
  const time = formatTime("2026-11-17T11:30:00Z");
  setLocale({ time_zone: "Mars/Olympus_Mons" });
  expect(formatTime("2026-11-17T11:30:00Z")).toBe(time);
});

test("dates and numbers follow the account's variant of English, and no other language", () => {
  setLocale({ locale: "en-US", time_zone: "Etc/UTC" });
  expect(formatTime("2026-11-17T13:30:00Z")).toMatch(/^1:30\sPM$/);
  setLocale({ locale: "en-ZA", time_zone: "Etc/UTC" });
  expect(formatNumber(12_345)).toMatch(/^12\s345$/);
  setLocale({ locale: "de-DE", time_zone: "Etc/UTC" });
  expect(formatNumber(12_345)).toBe("12,345");
  expect(formatDateTime("2026-11-17T13:30:00Z")).toContain("Tuesday");
});
