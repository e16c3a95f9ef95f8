/** When a person wants no push messages and emails: while notifications are paused, and daily within the times of do not disturb. */
import { MINUTE } from "../../lib/clock.ts";
import type { AccountSettings } from "./channels.ts";

const MINUTES_PER_DAY = 24 * 60;

/** Returns the minutes since midnight at this time in a time zone. */
function minuteOfDay(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(time);
  const valueOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return valueOf("hour") * 60 + valueOf("minute");
}

/** Returns the end of the daily quiet time that includes `now`; null outside of it. */
function dailyQuietEnd({ do_not_disturb_start: start, do_not_disturb_end: end }: AccountSettings, timeZone: string, now: number): number | null {
  if (start === null || end === null || start === end) return null;
  const minute = minuteOfDay(now, timeZone);
  if (start < end ? minute < start || minute >= end : minute < start && minute >= end) return null;
  const untilEnd = (from: number, at: number) => from - (from % MINUTE) + ((((end - at) % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY) * MINUTE;
  const quietEnd = untilEnd(now, minute);
  // Between now and then the clocks may change by an hour.
  const shift = minuteOfDay(quietEnd, timeZone) - end;
  return Math.abs(shift) <= 60 ? quietEnd - shift * MINUTE : quietEnd;
}

/** Returns until when push messages and emails have to wait; null if they need not. */
export function findQuietEnd(settings: AccountSettings, timeZone: string, now: number): number | null {
  const pausedUntil = settings.paused_until !== null && settings.paused_until > now ? settings.paused_until : null;
  // The pause may end within the quiet time.
  return dailyQuietEnd(settings, timeZone, pausedUntil ?? now) ?? pausedUntil;
}
