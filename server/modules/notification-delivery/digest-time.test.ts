import { expect, test } from "vitest";
import { nextDigestAt } from "./digest-time.ts";

test.each([
  ["on the same day", "2026-11-27T05:12:30Z", "UTC", "2026-11-27T08:00:00Z"],
  ["on the next day", "2026-11-27T08:00:00Z", "UTC", "2026-11-28T08:00:00Z"],
  ["east of Greenwich, where the next day has begun", "2026-11-27T20:00:00Z", "Asia/Tokyo", "2026-11-27T23:00:00Z"],
  ["in a zone with half an hour", "2026-11-27T02:00:00Z", "Asia/Kolkata", "2026-11-27T02:30:00Z"],
  ["west of Greenwich, where the day before goes on", "2026-11-27T02:00:00Z", "America/Los_Angeles", "2026-11-27T16:00:00Z"],
  ["after the clocks were put back", "2026-10-24T12:00:00Z", "Europe/Berlin", "2026-10-25T07:00:00Z"],
  ["after the clocks were put forward", "2026-03-28T12:00:00Z", "Europe/Berlin", "2026-03-29T06:00:00Z"],
])("the daily email is due at eight %s", (_when, now, timeZone, due) => {
  expect(new Date(nextDigestAt(Date.parse(now), timeZone)).toISOString()).toBe(new Date(due).toISOString());
});
