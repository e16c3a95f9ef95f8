/**
 * Formats dates, times and time spans in the reader's language and time zone with Intl; input is ISO 8601 text or epoch milliseconds. Provides the
 * service's time, so that new messages get today's date even if the browser's clock is off by days.
 */
import { localized, toLocal } from "./locale.ts";

type DateInput = string | number | Date;

const formats = localized(({ language, timeZone }) => {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { timeZone, ...options });
  return {
    time: format({ timeStyle: "short" }),
    day: format({ weekday: "long", day: "numeric", month: "long" }),
    dayWithYear: format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    shortDay: format({ day: "numeric", month: "short" }),
    shortDayWithYear: format({ day: "numeric", month: "short", year: "numeric" }),
    full: format({ dateStyle: "full", timeStyle: "short" }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: "auto" }),
  };
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Smaller differences are ignored, because a slow response or a slightly inaccurate clock causes them. */
const MAX_DRIFT_MS = 2 * 60_000;

/** "14:02" */
export const formatTime = (at: DateInput) => formats().time.format(new Date(at));

/** "Friday, 20 November 2026 at 14:02", for titles and screen readers. */
export const formatDateTime = (at: DateInput) => formats().full.format(new Date(at));

/** "Tuesday, 17 November", with the year if it differs from the year of `now`. */
export function formatLongDay(at: DateInput, now: DateInput): string {
  const { day, dayWithYear } = formats();
  return (localYear(at) === localYear(now) ? day : dayWithYear).format(new Date(at));
}

/** "17 Nov", "17 Nov 2025" */
export function formatShortDay(at: DateInput, now: DateInput): string {
  const { shortDay, shortDayWithYear } = formats();
  return (localYear(at) === localYear(now) ? shortDay : shortDayWithYear).format(new Date(at));
}

/** "17 Nov, 14:02", "17 Nov 2025, 14:02" */
export const formatDayTime = (at: DateInput, now: DateInput) => `${formatShortDay(at, now)}, ${formatTime(at)}`;

const localYear = (at: DateInput): number => new Date(toLocal(at)).getUTCFullYear();
/** Returns the number of the day in the reader's time zone, which grows by one each midnight. */
export const localDay = (at: DateInput): number => Math.floor(toLocal(at) / DAY_MS);

/** Returns the whole calendar days from the day of `at` to the day of `now`, in local time: 0 today, 1 yesterday. */
export function daysAgo(at: DateInput, now: DateInput): number {
  return localDay(now) - localDay(at);
}

/** "just now", "5 minutes ago", "yesterday", "in 3 days", and "17 Nov" from 14 days on. */
export function formatRelativeTime(at: DateInput, now: DateInput): string {
  const differenceMs = new Date(at).getTime() - new Date(now).getTime();
  const absoluteMs = Math.abs(differenceMs);
  if (absoluteMs < MINUTE_MS) return "just now";
  if (absoluteMs < HOUR_MS) return formats().relative.format(Math.trunc(differenceMs / MINUTE_MS), "minute");
  const days = daysAgo(at, now);
  if (days === 0) return formats().relative.format(Math.trunc(differenceMs / HOUR_MS), "hour");
  if (Math.abs(days) < 14) return formats().relative.format(-days, "day");
  return formatShortDay(at, now);
}

export type Clock = ReturnType<typeof createClock>;

/** Creates the clock of a service. */
export function createClock() {
  /** How far the service's clock is ahead of this machine's. */
  let offsetMs = 0;
  return {
    /** Returns the service's time in epoch milliseconds. */
    now: (): number => Date.now() + offsetMs,
    /** Updates the clock from the `Date` header of a response that just arrived; ignores a missing or invalid header. */
    sync(header: string | null): void {
      const driftMs = Date.parse(header ?? "") - Date.now();
      if (!Number.isNaN(driftMs)) offsetMs = Math.abs(driftMs) > MAX_DRIFT_MS ? driftMs : 0;
    },
  };
}
