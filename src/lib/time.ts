/** Dates, times and spans in the reader's language and time zone, through Intl. Input: ISO 8601 text or epoch milliseconds. */
import { now as serviceNow } from "./clock.ts";
import { language } from "./language.ts";

type Moment = string | number | Date;

const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const day = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long" });
const dayOfYear = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortDay = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const shortDayOfYear = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "14:02" */
export const formatClock = (at: Moment) => clock.format(new Date(at));

/** "Friday, 20 November 2026 at 14:02", for titles and screen readers. */
export const formatFull = (at: Moment) => full.format(new Date(at));

/** "Tuesday, 17 November"; with the year when it is not the year of `now`. */
export function formatDay(at: Moment, now: Moment = serviceNow()): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(date);
}

/** "17 Nov", "17 Nov 2025" */
export function formatShortDay(at: Moment, now: Moment = serviceNow()): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date(now).getFullYear() ? shortDay : shortDayOfYear).format(date);
}

/** Whole calendar days from the day of `at` to the day of `now`, in local time: 0 today, 1 yesterday. */
export function daysAgo(at: Moment, now: Moment = serviceNow()): number {
  const midnight = (moment: Moment) => new Date(moment).setHours(0, 0, 0, 0);
  // Rounded, since a day with a clock change has 23 or 25 hours.
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** "now", "5 minutes ago", "yesterday", "in 3 days", later "17 Nov". */
export function formatAgo(at: Moment, now: Moment = serviceNow()): string {
  const span = new Date(at).getTime() - new Date(now).getTime();
  const size = Math.abs(span);
  if (size < MINUTE) return "just now";
  if (size < HOUR) return relative.format(Math.trunc(span / MINUTE), "minute");
  const days = daysAgo(at, now);
  if (days === 0) return relative.format(Math.trunc(span / HOUR), "hour");
  if (Math.abs(days) < 14) return relative.format(-days, "day");
  return formatShortDay(at, now);
}
