/** Determines the start time for recovering deliveries. */
import { RECOVERY_DAYS } from "../../../../contract/limits.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_AGE_MS = RECOVERY_DAYS * DAY_MS;

/** Spans back from now: an hour, a day, a week and the maximum. */
export const SPANS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, MAX_AGE_MS] as const;

/** Returns the earliest time the service accepts, plus a minute because its clock may differ. */
export const earliestRecovery = (now: number) => now - MAX_AGE_MS + 60_000;

/** Returns when the failures or the pause began, if known, else a day ago. */
export function recoveryStart({ failing_since, disabled_at, held_count }: WebhookEndpoint, now: number): number {
  const failureTimes = [failing_since, disabled_at].filter((at) => at !== null).map((at) => new Date(at).getTime());
  // A resumed endpoint no longer has the start of its pause, so held events are recovered from as far back as possible.
  const from = failureTimes.length > 0 ? Math.min(...failureTimes) : now - (held_count > 0 ? MAX_AGE_MS : DAY_MS);
  // The picker has whole minutes; rounding down includes the first failure.
  return Math.max(Math.floor(from / 60_000) * 60_000, earliestRecovery(now));
}
