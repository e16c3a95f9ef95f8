import { expect, test } from "vitest";
import { daysLeft } from "./deleted-files.ts";

const UNTIL = "2026-03-31T12:00:00Z";

test.each([
  ["2026-03-01T12:00:05Z", 30],
  // A clock that is a little behind shows no 31st day.
  ["2026-03-01T11:59:55Z", 30],
  ["2026-03-29T11:00:00Z", 2],
  ["2026-03-30T11:59:00Z", 1],
  ["2026-03-30T12:01:00Z", 0],
  ["2026-04-02T00:00:00Z", 0],
])("at %s there are %i days left", (now, days) => expect(daysLeft(UNTIL, Date.parse(now))).toBe(days));
