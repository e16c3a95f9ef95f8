/** Formats comment positions and timestamps. */
import { formatPosition, formatTenths } from "../../../lib/format.ts";
import { localized } from "../../../lib/locale.ts";
import { daysAgo, formatTime, formatShortDay } from "../../../lib/time.ts";

/** Milliseconds from which the tenths of a range matter less than its short form. */
const LONG_RANGE_MS = 10_000;

/** Formats a point as "1:23.4", a short range as "1:33.2–1:36.0", and a long one without tenths: "1:33–1:49". */
export function formatAnchor(startMs: number, endMs: number | null): string {
  if (endMs === null) return formatTenths(startMs / 1_000);
  const format = endMs - startMs < LONG_RANGE_MS ? formatTenths : formatPosition;
  return `${format(startMs / 1_000)}–${format(endMs / 1_000)}`;
}

const weekday = localized(({ language, timeZone }) => new Intl.DateTimeFormat(language, { timeZone, weekday: "short" }));

/** Returns "14:02" today, "Tue 14:02" within the last week, and the date before that. */
export function formatCreatedAt(time: string | number, now: number): string {
  const days = daysAgo(time, now);
  if (days === 0) return formatTime(time);
  return days > 0 && days < 7 ? `${weekday().format(new Date(time))} ${formatTime(time)}` : formatShortDay(time, now);
}
