import { describe, expect, test } from "vitest";
import { toIsoDate, daysUntil, formatDay, formatFullDay } from "./days.ts";

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
