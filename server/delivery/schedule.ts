/** When a delivery is tried, and when it or its endpoint is given up. */
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";

/** Pauses before the first try, the second …: three days in all. */
export const RETRY_SCHEDULE: readonly number[] = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Each pause is up to so much shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
export const MAX_RETRY_AFTER_MS = DAY;
/** An endpoint with nothing but failures for so long is disabled. */
export const DISABLE_ENDPOINT_AFTER_MS = 5 * DAY;
/** From dispatch to the end of the answer, however steadily it drips. */
export const DEADLINE_MS = 15 * SECOND;

/**
 * How long to wait after `attemptCount` failed tries; null: that was the last one.
 * `retryAfterMs` is the receiver's `Retry-After`: never sooner than that. `random` is 0 to 1.
 */
export function retryDelay(attemptCount: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = RETRY_SCHEDULE[attemptCount];
  if (delayMs === undefined) return null;
  return Math.round(Math.max(delayMs * (1 - JITTER + 2 * JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** `Retry-After` (RFC 9110 10.2.3) in milliseconds; a date counts from the receiver's own `Date`, whose clock may differ from ours. */
export function parseRetryAfter(value: string | undefined, date: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND;
  // Engines read "-5" as a date too; a real one names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  const receiverNow = Date.parse(date ?? "");
  return Math.max(0, until - (Number.isNaN(receiverNow) ? now : receiverNow));
}
