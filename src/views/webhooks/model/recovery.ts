/** From when on deliveries are recovered, and how a moment stands in the browser's own picker. */
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_AGE_MS = 14 * DAY_MS;

/** Back from now: an hour, a day, a week, as far as it goes. */
export const SPANS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, MAX_AGE_MS] as const;

/** The service goes no further back; a minute less, since its clock is another one. */
export const earliestRecovery = (now: number) => now - MAX_AGE_MS + 60_000;

/** Where the trouble began, as far as it is known; else a day ago. */
export function recoveryStart({ failing_since, disabled_at, held_count }: WebhookEndpoint, now: number): number {
  const troubleStarts = [failing_since, disabled_at].filter((at) => at !== null).map((at) => new Date(at).getTime());
  // Held events of an endpoint that was resumed: when the pause began is not kept.
  const from = troubleStarts.length > 0 ? Math.min(...troubleStarts) : now - (held_count > 0 ? MAX_AGE_MS : DAY_MS);
  // The picker counts whole minutes: rounded down, so that the first failure is within.
  return Math.max(Math.floor(from / 60_000) * 60_000, earliestRecovery(now));
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** "2026-11-17T14:31" in local time, as `<input type="datetime-local">` has it. */
export function toLocalInput(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Milliseconds since 1970; null while nothing whole is entered. */
export function fromLocalInput(text: string): number | null {
  const at = text === "" ? NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}
