/** How places and moments of comments are written. */
import { formatPosition, formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { daysAgo, formatTime, formatShortDay } from "../../../lib/time.ts";

/** "1:23.4"; a range without tenths, so that it stays short: "1:33–1:39". */
export const formatAnchor = (startMs: number, endMs: number | null): string =>
  endMs === null ? formatTenths(startMs / 1_000) : `${formatPosition(startMs / 1_000)}–${formatPosition(endMs / 1_000)}`;

/** With the words that stand there, so that who speaks to the page can say them. */
export const goToLabel = (startMs: number, endMs: number | null): string => t("goTo", { time: formatAnchor(startMs, endMs) });

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });

/** "14:02" today, "Tue 14:02" within a week, then the day. */
export function formatCreatedAt(time: string | number): string {
  const days = daysAgo(time);
  if (days === 0) return formatTime(time);
  return days > 0 && days < 7 ? `${weekday.format(new Date(time))} ${formatTime(time)}` : formatShortDay(time);
}
