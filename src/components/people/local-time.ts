/** Describes the local time and the working hours of a person to the reader. */
import { isTimeZone, isWorkingTime, localTimeIn } from "../../../contract/account-profile.ts";
import type { Account } from "../../../contract/records.ts";
import { localized, toLocal } from "../../lib/locale.ts";
import { t } from "../../lib/texts/local-time.ts";

const HOUR_MS = 3_600_000;
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 24 * HOUR_MS;

type Person = Pick<Account, "time_zone" | "working_hours">;

const formats = localized(({ language }) => {
  const byZone = new Map<string, Intl.DateTimeFormat>();
  return {
    /** "14:02" */
    time(at: number, timeZone: string): string {
      const format = byZone.get(timeZone) ?? new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone });
      byZone.set(timeZone, format);
      return format.format(at);
    },
    weekday: {
      short: new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }),
      long: new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }),
    },
  };
});

/** "Mon" or "Monday" for 1, up to Sunday for 7. */
export const weekdayName = (day: number, length: "short" | "long"): string => formats().weekday[length].format(MONDAY + (day - 1) * DAY_MS);

export interface LocalTimeInfo {
  /** "14:02", with the weekday where it is another one than the reader's. */
  time: string;
  /** "2 hours ahead of you"; null at the same time. */
  difference: string | null;
  isOffHours: boolean;
}

/** Returns null for a person without a time zone, or with one that this browser does not know. */
export function describeLocalTime({ time_zone, working_hours }: Person, now: number): LocalTimeInfo | null {
  if (!time_zone || !isTimeZone(time_zone)) return null;
  const there = localTimeIn(time_zone, now);
  const here = new Date(toLocal(now));
  const hereWeekday = here.getUTCDay() || 7;
  const time = formats().time(now, time_zone);
  // Clocks are never more than a day apart, so the weekdays tell which of them is ahead.
  const days = there.weekday === hereWeekday ? 0 : there.weekday === (hereWeekday % 7) + 1 ? 1 : -1;
  const minutesAhead = there.minutes - here.getUTCHours() * 60 - here.getUTCMinutes() + days * 24 * 60;
  return {
    time: days === 0 ? time : `${weekdayName(there.weekday, "short")} ${time}`,
    difference: describeDifference(minutesAhead),
    isOffHours: working_hours ? !isWorkingTime(working_hours, there) : false,
  };
}

function describeDifference(minutesAhead: number): string | null {
  if (minutesAhead === 0) return null;
  const hours = Math.abs(minutesAhead) / 60;
  return t(minutesAhead > 0 ? "ahead" : "behind", { count: hours });
}

/** "Mon–Fri, 09:00–18:00", "Mon, Wed, 22:00–06:00"; null for a person without working hours. */
export function describeWorkingHours({ time_zone, working_hours }: Person): string | null {
  if (!working_hours || !time_zone) return null;
  const { days, start, end } = working_hours;
  const clock = (time: string) => formats().time(Date.parse(`2024-01-01T${time}Z`), "UTC");
  return `${describeDays(days)}, ${clock(start)}–${clock(end)}`;
}

/** Writes three or more days in a row as a range. */
function describeDays(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const day of sorted) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number) => weekdayName(day, "short");
  return runs.map((run) => (run.length > 2 ? `${name(run[0]!)}–${name(run.at(-1)!)}` : run.map(name).join(", "))).join(", ");
}
