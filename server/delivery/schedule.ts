/** Retry schedule for deliveries, the limits of one attempt, and the limit after which an endpoint is disabled. */
import { DISABLE_ENDPOINT_AFTER_DAYS } from "../../contract/limits.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";

/**
 * Delays between the attempts of a round, in milliseconds: nine delays, so ten attempts in about three days, as the README, `docs/architecture.md`,
 * `docs/glossary.md` and the API page (`server/http/docs/webhooks.ts`) also say. The first attempt is due at once; the code that starts a round sets that due time (`webhook-events.ts`,
 * `deliveries.ts`).
 */
export const RETRY_DELAYS_MS: readonly number[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** Each delay varies by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** A longer `Retry-After` counts as this long. */
export const MAX_RETRY_AFTER_MS = DAY;
/**
 * An endpoint is disabled after failing without a success for this long. Must exceed the longest retry schedule (3.8 days: all delays with the full
 * jitter), so that the delivery that failed first gets all its attempts before the endpoint is disabled. Only `Retry-After` can delay them further.
 */
export const DISABLE_ENDPOINT_AFTER_MS = DISABLE_ENDPOINT_AFTER_DAYS * DAY;
/** Time limit from dispatch to the end of the response, even if data keeps trickling in. */
export const DEADLINE_MS = 15 * SECOND;
/** Bytes of the response body that are stored; the rest is not read. */
export const MAX_BODY_BYTES = 2_048;

/**
 * Returns the milliseconds from a failed attempt to the next, or null if it was the last one. `step`: the position of that attempt in its round, 0 for the first.
 * `retryAfterMs` is the receiver's `Retry-After`, the minimum delay. `random` is 0 to 1.
 */
export function nextRetryDelayMs(step: number, retryAfterMs: number | null, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[step];
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
