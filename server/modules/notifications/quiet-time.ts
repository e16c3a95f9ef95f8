/** When a person wants no push messages and emails: while notifications are paused, and daily within the times of do not disturb. */
import { DAY, MINUTE } from "../../lib/clock.ts";
import { fromLocalTime, toLocalTime } from "../../lib/time-zone.ts";
import type { AccountSettings } from "./channels.ts";

/** Returns the end of the daily quiet time that includes `now`; null outside of it. */
function dailyQuietEnd({ do_not_disturb_start: start, do_not_disturb_end: end }: AccountSettings, timeZone: string, now: number): number | null {
  if (start === null || end === null || start === end) return null;
  const local = toLocalTime(now, timeZone);
  const midnight = local - (local % DAY);
  const minute = Math.floor((local - midnight) / MINUTE);
  const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
  if (!isQuiet) return null;
  return fromLocalTime(midnight + end * MINUTE + (minute < end ? 0 : DAY), timeZone);
}

/** Returns until when push messages and emails have to wait; null if they need not. */
export function findQuietEnd(settings: AccountSettings, timeZone: string, now: number): number | null {
  const pausedUntil = settings.paused_until !== null && settings.paused_until > now ? settings.paused_until : null;
  // The pause may end within the quiet time.
  return dailyQuietEnd(settings, timeZone, pausedUntil ?? now) ?? pausedUntil;
}
