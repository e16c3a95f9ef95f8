import { expect, test } from "vitest";
import { parseCron, toCron } from "./schedule.ts";

test.each([
  ["0 9 * * *", { days: [1, 2, 3, 4, 5, 6, 7], time: "09:00" }],
  ["30 18 * * 1-5", { days: [1, 2, 3, 4, 5], time: "18:30" }],
  ["5 0 * * 2,7", { days: [2, 7], time: "00:05" }],
  ["0 12 * * 1,2", { days: [1, 2], time: "12:00" }],
])("%s is shown in the form, and the form makes the same expression", (cron, schedule) => {
  expect(parseCron(cron)).toEqual(schedule);
  expect(toCron(schedule)).toBe(cron);
});

test("Sunday has two numbers in cron", () => {
  expect(parseCron("0 9 * * 0")).toEqual({ days: [7], time: "09:00" });
  expect(parseCron("0 9 * * 0-2")).toEqual({ days: [1, 2, 7], time: "09:00" });
});

test.each(["*/15 * * * *", "0 9 1 * *", "0 24 * * *", "60 9 * * *", "0 9 * * 5-1", "0 9 * * 1-2-3", "0 9 * * mon", ""])(
  "%s is no schedule of the form",
  (cron) => {
    expect(parseCron(cron)).toBeNull();
  },
);
