/** Retry schedule for deliveries, and the limits after which a delivery or its endpoint is given up. */
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";

/** Delays before the first attempt, the second, and so on: about three days in total. */
export const RETRY_SCHEDULE: readonly number[] = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Each delay varies by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** The longest `Retry-After` that a receiver may request. */
export const MAX_RETRY_AFTER_MS = DAY;
/** An endpoint is disabled after failing without a success for this long. */
export const DISABLE_ENDPOINT_AFTER_MS = 5 * DAY;
/** Time limit from dispatch to the end of the response, even if data keeps trickling in. */
export const DEADLINE_MS = 15 * SECOND;

/**
 * Returns the delay after `attemptCount` failed attempts, or null if that was the last one.
 * `retryAfterMs` is the receiver's `Retry-After`, the minimum delay. `random` is 0 to 1.
 */
export function retryDelay(attemptCount: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = RETRY_SCHEDULE[attemptCount];
  if (delayMs === undefined) return null;
  return Math.round(Math.max(delayMs * (1 - JITTER + 2 * JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** Parses `Retry-After` (RFC 9110 10.2.3) into milliseconds. A date is relative to the receiver's own `Date`, whose clock may differ from ours. */
export function parseRetryAfter(value: string | undefined, date: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND;
  // `Date.parse` accepts "-5" as a date; a real HTTP date contains a month name.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const receiverNow = Date.parse(date ?? "");
  return Math.max(0, until - (Number.isNaN(receiverNow) ? now : receiverNow));
}
