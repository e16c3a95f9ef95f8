/** Leases of deliveries in flight (one minute), and recovery after a worker dies or the clock is set back. */
import { sql } from "kysely";
import type { Engine } from "../db/database.ts";
import { databaseNow, givenValues } from "../db/engine-sql.ts";
import { prepareForEngines } from "../db/prepared.ts";
import type { Tx } from "../db/schema.ts";
import { MINUTE } from "../lib/clock.ts";
import { DEADLINE_MS, MAX_RETRY_AFTER_MS } from "./schedule.ts";

/** Lease duration before another worker takes over: one attempt, time to record it, and a margin for a slow machine. */
export const LEASE_MS = 4 * DEADLINE_MS;
/**
 * Tolerated clock skew between machines. A lease that ends more than `LEASE_MS` plus this in the future was granted before
 * the clock was set back and counts as expired.
 */
export const CLOCK_SKEW_MS = MINUTE;

const selectExpired = prepareForEngines<{ now: number; ownList: string; unexpired: 0 | 1 }, { id: number; attempts: number; lease_until: number | null }>(
  (engine, _db, { now, ownList, unexpired }) => {
    const databaseTime = databaseNow(engine, now);
    return sql`
      select id, attempts, lease_until from deliveries
      where lease_until is not null and id not in ${givenValues<number>(engine, ownList, "bigint")}
        and (${unexpired} = 1 or lease_until < ${databaseTime} or lease_until > ${databaseTime} + ${LEASE_MS + CLOCK_SKEW_MS})`;
  },
);

/**
 * Releases the leases of dead workers and records their attempts as interrupted. `ownIds` are in flight in this process;
 * `includeUnexpired` releases unexpired leases too, for when no other worker is alive.
 */
export async function releaseLeases(tx: Tx, engine: Engine, now: number, ownIds: readonly number[], includeUnexpired = false): Promise<void> {
  const expired = await selectExpired[engine](tx, { now, ownList: JSON.stringify(ownIds), unexpired: includeUnexpired ? 1 : 0 });
  if (expired.length === 0) return;
  await tx
    .insertInto("delivery_attempts")
    .values(
      expired.map(({ id, attempts, lease_until }) => ({
        delivery_id: id,
        number: attempts,
        started_at: Math.min((lease_until ?? now) - LEASE_MS, now),
        duration: 0,
        outcome: "interrupted",
        status: null,
        request_headers: "{}",
        response_headers: null,
        response_body: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(["delivery_id", "number"]).doNothing())
    .execute();
  const ids = expired.map(({ id }) => id);
  await tx.updateTable("deliveries").set({ lease_until: null, lease_token: null }).where("id", "in", ids).execute();
  // Pausing or deleting an endpoint skips deliveries in flight, so this applies the state change to them.
  const endpointIds = (endpoints: "paused" | "deleted") =>
    tx
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("deleted_at", endpoints === "deleted" ? "is not" : "is", null)
      .$if(endpoints === "paused", (query) => query.where("enabled", "=", 0));
  const pendingDeliveries = tx.updateTable("deliveries").where("id", "in", ids).where("state", "=", "pending");
  await pendingDeliveries.set({ state: "held", next_attempt_at: null }).where("is_test", "=", 0).where("endpoint_id", "in", endpointIds("paused")).execute();
  await pendingDeliveries.set({ state: "failed", next_attempt_at: null, done_at: now }).where("endpoint_id", "in", endpointIds("deleted")).execute();
}

/**
 * Corrects due times after the clock was set back. Deliveries before the first attempt of their round become due now, because their due time would lie in
 * the future; `not_before` is cleared where no `Retry-After` can have set it.
 */
export async function resetDueTimes(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ next_attempt_at: now })
    .where("state", "=", "pending")
    .where("step", "=", 0)
    .where("next_attempt_at", ">", now)
    .execute();
  await tx
    .updateTable("webhook_endpoints")
    .set({ not_before: null })
    .where("not_before", ">", now + MAX_RETRY_AFTER_MS)
    .execute();
}
