import { expect, it } from "vitest";
import { findScheduleIssue, nextRun } from "./schedule.ts";

const runsAfter = (cron: string, timeZone: string, after: string, count: number): string[] => {
  const runs: number[] = [];
  for (let last = Date.parse(after); runs.length < count; runs.push(last)) last = nextRun(cron, timeZone, last) ?? 0;
  return runs.map((run) => new Date(run).toISOString());
};

it("a time that does not exist runs later on that day, and the days around it keep their local time", () => {
  expect(runsAfter("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
    "2026-03-28T01:30:00.000Z",
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
});
it("a time that exists twice runs once, at the first", () => {
  expect(runsAfter("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
});
it("a task that missed many runs is due once, at the next time", () => {
  expect(runsAfter("0 9 * * 1-5", "America/New_York", "2026-07-03T20:00:00Z", 1)).toEqual(["2026-07-06T13:00:00.000Z"]);
});
it.each([
  ["0 9 * * 1-5", "Europe/Berlin", null],
  ["*/15 * * * *", "UTC", null],
  ["*/10 * * * *", "UTC", "cron"],
  ["0,5 9 * * *", "UTC", "cron"],
  ["0 0 30 2 *", "UTC", "cron"],
  ["* * * * * *", "UTC", "cron"],
  ["every day", "UTC", "cron"],
  ["0 9 * * *", "Berlin", "time_zone"],
])("%s in %s has an issue with %s", (cron, timeZone, path) => {
  expect(findScheduleIssue(cron, timeZone, Date.parse("2026-07-03T20:00:00Z"))?.path ?? null).toBe(path);
});
