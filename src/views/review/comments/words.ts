/** How places and moments of comments are written. */
import { formatPosition, formatTenths } from "../../../lib/duration.ts";
import { t } from "../../../lib/messages/comments.ts";
import { daysAgo, formatClock, formatShortDay } from "../../../lib/time.ts";

/** "1:23.4"; a range without tenths, so that it stays short: "1:33–1:39". */
export const placeWords = (at: number, end: number | null): string =>
  end === null ? formatTenths(at / 1_000) : `${formatPosition(at / 1_000)}–${formatPosition(end / 1_000)}`;

/** With the words that stand there, so that who speaks to the page can say them. */
export const goToWords = (at: number, end: number | null): string => t("goTo", { time: placeWords(at, end) });

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });

/** "14:02" today, "Tue 14:02" within a week, then the day. */
export function whenWords(at: string | number): string {
  const days = daysAgo(at);
  if (days === 0) return formatClock(at);
  return days > 0 && days < 7 ? `${weekday.format(new Date(at))} ${formatClock(at)}` : formatShortDay(at);
}
