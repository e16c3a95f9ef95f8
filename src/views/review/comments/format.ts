/** Formats comment positions and timestamps. */
import { formatPosition, formatTenths } from "../../../lib/format.ts";
import { localized } from "../../../lib/locale.ts";
import { daysAgo, formatTime, formatShortDay } from "../../../lib/time.ts";

/** Formats a point as "1:23.4" and a range without tenths, to keep it short: "1:33–1:39". */
export const formatAnchor = (startMs: number, endMs: number | null): string =>
  endMs === null ? formatTenths(startMs / 1_000) : `${formatPosition(startMs / 1_000)}–${formatPosition(endMs / 1_000)}`;

const weekday = localized(({ language, timeZone }) => new Intl.DateTimeFormat(language, { timeZone, weekday: "short" }));

/** Returns "14:02" today, "Tue 14:02" within the last week, and the date before that. */
export function formatCreatedAt(time: string | number, now: number): string {
  const days = daysAgo(time, now);
  if (days === 0) return formatTime(time);
  return days > 0 && days < 7 ? `${weekday().format(new Date(time))} ${formatTime(time)}` : formatShortDay(time, now);
}
