import { describe, expect, test } from "vitest";
import { daysUntil, formatDay, formatFullDay, parseDateTimeInput, startOfDay, toDateInput, toDateTimeInput, toIsoDate } from "./days.ts";

const now = new Date(2026, 2, 2, 23, 30);

test("toIsoDate returns the written date in every time zone", () => {
  expect(toIsoDate("2026-03-02T00:00:00.000Z")).toBe("2026-03-02");
  expect(toIsoDate("2026-03-02")).toBe("2026-03-02");
});

describe("daysUntil counts days of the reader's calendar", () => {
  test.each([
    ["2026-03-02T00:00:00.000Z", 0],
    ["2026-03-03", 1],
    ["2026-03-01", -1],
    // A clock change lies in between.
    ["2026-04-01", 30],
    ["2027-03-02", 365],
  ])("%s: %d", (day, days) => expect(daysUntil(day, now)).toBe(days));

  test("one minute before and after midnight", () => {
    expect(daysUntil("2026-03-03", new Date(2026, 2, 2, 23, 59))).toBe(1);
    expect(daysUntil("2026-03-03", new Date(2026, 2, 3, 0, 1))).toBe(0);
  });
});

test("formatDay includes the year only when it differs", () => {
  expect(formatDay("2026-03-02T00:00:00.000Z", now)).toMatch(/\b2\b.*Mar|Mar.*\b2\b/);
  expect(formatDay("2026-03-02", now)).not.toContain("2026");
  expect(formatDay("2027-01-01", now)).toContain("2027");
  expect(formatFullDay("2026-03-02")).toMatch(/Monday.*2026/);
});

test("startOfDay returns the reader's midnight, and null for an invalid day", () => {
  expect(startOfDay("2026-11-17")).toEqual(new Date(2026, 10, 17));
  expect(startOfDay("2026-02-30")).toBeNull();
  expect(startOfDay("")).toBeNull();
  expect(toDateInput(startOfDay("2024-02-29")!)).toBe("2024-02-29");
});

test("a date field preserves a time to the minute", () => {
  const at = new Date(2026, 10, 21, 14, 0, 30);
  expect(toDateTimeInput(at)).toBe("2026-11-21T14:00");
  expect(parseDateTimeInput(toDateTimeInput(at))).toBe(at.getTime() - 30_000);
  expect(parseDateTimeInput("")).toBeNull();
  expect(parseDateTimeInput("2026-13-90T99:00")).toBeNull();
});
