/** When the daily email is sent. */
import { DAY, HOUR } from "../../lib/clock.ts";
import { fromLocalTime, toLocalTime } from "../../lib/time-zone.ts";

/** In the account's time zone: before the working day. */
const DIGEST_HOUR = 8;

/** Returns the next time at which it is eight o'clock in the morning in this time zone. */
export function nextDigestAt(now: number, timeZone: string): number {
  const local = toLocalTime(now, timeZone);
  const today = local - (local % DAY) + DIGEST_HOUR * HOUR;
  return fromLocalTime(today > local ? today : today + DAY, timeZone);
}
