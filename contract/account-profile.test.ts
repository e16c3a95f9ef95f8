import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLocale, isTimeZone, isWorkingTime, localTimeIn, type WorkingHours } from "./account-profile.ts";

const at = (weekday: number, time: string) => ({ weekday, minutes: Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) });
const OFFICE: WorkingHours = { days: [1, 2, 3, 4, 5], start: "09:00", end: "17:30" };
const NIGHTS: WorkingHours = { days: [5, 7], start: "22:00", end: "06:00" };

test.each([
  [OFFICE, 1, "08:59", false],
  [OFFICE, 1, "09:00", true],
  [OFFICE, 5, "17:29", true],
  [OFFICE, 5, "17:30", false],
  [OFFICE, 6, "12:00", false],
  [NIGHTS, 5, "21:59", false],
  [NIGHTS, 5, "23:59", true],
  // The night that began on Friday, and no night before it.
  [NIGHTS, 6, "05:59", true],
  [NIGHTS, 6, "06:00", false],
  [NIGHTS, 5, "05:00", false],
  // Sunday's night ends on Monday.
  [NIGHTS, 1, "00:00", true],
] as const)("%j on day %d at %s: %s", (hours, weekday, time, expected) => {
  expect(isWorkingTime(hours, at(weekday, time))).toBe(expected);
});

test("every minute of a week is either within the hours or within what is left of them", () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 7 }), time, (start, end, weekday, moment) => {
      fc.pre(start !== end);
      const days = [1, 2, 3, 4, 5, 6, 7];
      // The hours from start to end, and those from end to start, share no minute and leave none out.
      const isWithin = isWorkingTime({ days, start, end }, at(weekday, moment));
      expect(isWorkingTime({ days, start: end, end: start }, at(weekday, moment))).toBe(!isWithin);
    }),
  );
});

test("local time follows the clocks of the zone", () => {
  expect(localTimeIn("Pacific/Kiritimati", Date.parse("2026-11-22T10:00:00Z"))).toEqual({ weekday: 1, minutes: 0 });
  expect(localTimeIn("America/New_York", Date.parse("2026-03-08T06:59:00Z"))).toEqual({ weekday: 7, minutes: 119 });
  expect(localTimeIn("America/New_York", Date.parse("2026-03-08T07:00:00Z"))).toEqual({ weekday: 7, minutes: 180 });
});

describe("names", () => {
  test.each(["Europe/Zagreb", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5", "Europe/Kyiv"])("%s is a time zone", (name) =>
    expect(isTimeZone(name)).toBe(true),
  );
  test.each(["", "Europe/Atlantis", "+02:00", "local", "../etc", `Europe/${"x".repeat(90)}`])("%s is none", (name) => expect(isTimeZone(name)).toBe(false));
  test.each(["en-GB", "de", "zh-Hant-TW"])("%s is a locale", (tag) => expect(isLocale(tag)).toBe(true));
  test.each(["", "EN-gb", "en_GB", "e", "en-GB@posix"])("%s is none", (tag) => expect(isLocale(tag)).toBe(false));
});
