/** When a delivery is tried, and when it or its endpoint is given up. */
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";

/** Pauses before the first try, the second …: three days in all. */
export const SCHEDULE: readonly number[] = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Each pause is up to so much shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
export const LONGEST_WISH = DAY;
/** An endpoint with nothing but failures for so long is disabled. */
export const GIVE_UP_ENDPOINT_MS = 5 * DAY;
/** From dispatch to the end of the answer, however steadily it drips. */
export const DEADLINE_MS = 15 * SECOND;

/**
 * How long to wait after `tries` failed tries; null: that was the last one.
 * `wish` is the receiver's `Retry-After`: never sooner than that. `random` is 0 to 1.
 */
export function pauseAfter(tries: number, wish: number | null, random: number): number | null {
  const pause = SCHEDULE[tries];
  if (pause === undefined) return null;
  return Math.round(Math.max(pause * (1 - JITTER + 2 * JITTER * random), Math.min(wish ?? 0, LONGEST_WISH)));
}

/** `Retry-After` (RFC 9110 10.2.3) in milliseconds; a date counts from the receiver's own `Date`, whose clock may differ from ours. */
export function retryAfter(value: string | undefined, date: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND;
  // Engines read "-5" as a date too; a real one names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const theirs = Date.parse(date ?? "");
  return Math.max(0, until - (Number.isNaN(theirs) ? now : theirs));
}
