/** Decides what follows from attempts, and records it while the lease is still ours. */
import type { Database } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { DISABLE_ENDPOINT_AFTER_MS, nextRetryDelayMs } from "../../delivery/schedule.ts";
import type { EventLog } from "../../events/log.ts";
import type { Channel, ClaimedDelivery } from "./claim.ts";

/**
 * What came of an attempt. `nothing`: there is nothing left to send. `quiet`: the person is not to be disturbed. `gone`: the browser no longer takes push
 * messages. `refused`: a further attempt would fail too.
 */
export type AttemptOutcome =
  | { kind: "sent" | "nothing" | "gone" | "refused" | "interrupted"; detail: string }
  | { kind: "failed"; detail: string; retryAfterMs: number | null }
  | { kind: "quiet"; until: number };

export interface FinishedAttempt {
  delivery: ClaimedDelivery;
  outcome: AttemptOutcome;
}

type Change = Pick<Row<"notification_deliveries">, "state" | "step" | "next_attempt_at" | "done_at" | "outcome">;

/** Attempts of a push message, in about three hours: later it is no news. An email has those of a webhook, in about three days. */
const MAX_ATTEMPTS: Record<Channel, number> = { push: 5, mail: Number.POSITIVE_INFINITY };

/** `random` is 0 to 1. */
export function decide(
  { channel, step, is_test }: Pick<ClaimedDelivery, "channel" | "step" | "is_test">,
  outcome: AttemptOutcome,
  now: number,
  random: number,
): Change {
  const finish = (state: Change["state"], detail: string): Change => ({ state, step, next_attempt_at: null, done_at: now, outcome: detail });
  const retry = (at: number, nextStep: number, detail: string): Change => ({
    state: "pending",
    step: nextStep,
    next_attempt_at: at,
    done_at: null,
    outcome: detail,
  });
  if (outcome.kind === "quiet") return retry(outcome.until, step, "do not disturb");
  const { kind, detail } = outcome;
  if (kind === "interrupted") return retry(now, step, detail);
  if (kind === "failed") {
    const delayMs = is_test || step + 1 >= MAX_ATTEMPTS[channel] ? null : nextRetryDelayMs(step, outcome.retryAfterMs, random);
    return delayMs === null ? { ...finish("failed", detail), step: step + 1 } : retry(now + delayMs, step + 1, detail);
  }
  return finish(kind === "sent" ? "sent" : kind === "nothing" ? "skipped" : "failed", detail);
}

/** Deletes the subscriptions of browsers that are gone or have failed for days, and tells the account's pages. */
async function updateSubscriptions(tx: Tx, engine: Database["engine"], events: EventLog, now: number, finished: readonly FinishedAttempt[]): Promise<void> {
  const kindsOf = new Map<number, Set<string>>();
  for (const { delivery, outcome } of finished)
    if (delivery.subscription_id !== null) kindsOf.set(delivery.subscription_id, (kindsOf.get(delivery.subscription_id) ?? new Set()).add(outcome.kind));
  if (kindsOf.size === 0) return;
  const query = tx
    .selectFrom("push_subscriptions")
    .select(["id", "account_id", "failing_since"])
    .where("id", "in", [...kindsOf.keys()]);
  // One that is locked is being deleted with its session, or replaced.
  for (const subscription of await lockRows(query, engine, "skipLocked").execute()) {
    const kinds = kindsOf.get(subscription.id) ?? new Set();
    const isFailing = !kinds.has("sent") && (kinds.has("failed") || kinds.has("refused"));
    const failingSince = kinds.has("sent") ? null : isFailing ? (subscription.failing_since ?? now) : subscription.failing_since;
    if (kinds.has("gone") || (isFailing && now - (failingSince ?? now) >= DISABLE_ENDPOINT_AFTER_MS)) {
      await tx.deleteFrom("push_subscriptions").where("id", "=", subscription.id).execute();
      events.appendToAccounts(tx, [subscription.account_id], "notification_channels.changed", {});
    } else if (failingSince !== subscription.failing_since)
      await tx.updateTable("push_subscriptions").set({ failing_since: failingSince }).where("id", "=", subscription.id).execute();
  }
}

export interface RecordOptions {
  engine: Database["engine"];
  events: EventLog;
  now: number;
  random(): number;
}

export async function recordAttempts(tx: Tx, finished: readonly FinishedAttempt[], { engine, events, now, random }: RecordOptions): Promise<void> {
  const recorded: FinishedAttempt[] = [];
  for (const attempt of finished) {
    const { delivery, outcome } = attempt;
    const change = decide(delivery, outcome, now, random());
    const { numUpdatedRows } = await tx
      .updateTable("notification_deliveries")
      .set({ ...change, lease_until: null, lease_token: null })
      .where("id", "=", delivery.id)
      .where("lease_token", "=", delivery.lease_token)
      .executeTakeFirst();
    if (Number(numUpdatedRows) !== 1) continue;
    recorded.push(attempt);
    // The settings no longer say that it is on its way.
    if (delivery.confirms_email_key !== null && (change.state === "failed" || change.state === "skipped"))
      events.appendToAccounts(tx, [delivery.account_id], "notification_channels.changed", {});
  }
  await updateSubscriptions(tx, engine, events, now, recorded);
}
