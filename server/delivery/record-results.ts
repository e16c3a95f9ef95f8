/** Records results of attempts: attempt, delivery and endpoint change in one transaction. */
import { sql } from "kysely";
import { LIMITS } from "../../contract/limits.ts";
import type { Engine } from "../db/database.ts";
import { givenRows, lockRows, padIds } from "../db/engine-sql.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { decideRetry, type DeliveryChange } from "./retry-decision.ts";
import { MAX_RETRY_AFTER_MS } from "./schedule.ts";
import type { AttemptResult } from "./guarded-post.ts";

/**
 * Maximum deliveries that one change publishes: one or two pages of the delivery log. Of a larger change only the newest are published, and a page that
 * shows others refetches them.
 */
export const MAX_PUBLISHED_DELIVERIES = 100;

export interface FinishedAttempt {
  delivery: ClaimedDelivery["delivery"];
  /** The URL that the attempt was sent to. */
  url: string;
  result: AttemptResult;
}

/** Publishes live events in the transaction of the change; the rows already hold the new state. */
export interface DeliveryPublisher {
  publishDeliveries(tx: Tx, ids: number[]): Promise<void>;
  publishEndpoint(tx: Tx, id: number): Promise<void>;
  /** Notifies people that an endpoint was disabled. */
  publishDisabled(tx: Tx, endpoint: Row<"webhook_endpoints">): Promise<void>;
}

export interface RecordOptions {
  engine: Engine;
  now: number;
  publisher: DeliveryPublisher;
  /** 0 to 1. */
  random(): number;
}

/** Locks endpoints, in id order to avoid deadlocks. */
async function lockEndpoints(tx: Tx, engine: Engine, ids: number[]): Promise<Map<number, Row<"webhook_endpoints">>> {
  const query = tx.selectFrom("webhook_endpoints").selectAll().where("id", "in", padIds(ids)).orderBy("id");
  const rows = await lockRows(query, engine, "update").execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Disables an endpoint and holds its pending deliveries, except tests and those in flight, until a user acts. Returns the held ids. */
async function disableEndpoint(
  tx: Tx,
  now: number,
  endpoint: Row<"webhook_endpoints">,
  reason: NonNullable<Row<"webhook_endpoints">["disabled_reason"]>,
): Promise<number[]> {
  Object.assign(endpoint, { enabled: 0, disabled_reason: reason, disabled_at: now, disabled_by: null, updated_at: now });
  const { enabled, disabled_reason, disabled_at, disabled_by, updated_at } = endpoint;
  await tx.updateTable("webhook_endpoints").set({ enabled, disabled_reason, disabled_at, disabled_by, updated_at }).where("id", "=", endpoint.id).execute();
  const rows = await tx
    .updateTable("deliveries")
    .set({ state: "held", next_attempt_at: null })
    .where("endpoint_id", "=", endpoint.id)
    .where("state", "=", "pending")
    .where("is_test", "=", 0)
    .where("lease_until", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the earliest time to call the receiver: extended by its `Retry-After` (429, 503), cleared by a manual delivery that succeeds. */
function nextNotBefore(
  previous: number | null,
  { by_hand }: ClaimedDelivery["delivery"],
  { outcome, retryAfterMs }: AttemptResult,
  now: number,
): number | null {
  if (outcome === "ok" && by_hand === 1) return null;
  return retryAfterMs !== null && retryAfterMs > 0 ? Math.max(previous ?? 0, now + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)) : previous;
}

/** Returns the newest due deliveries, whose displayed next attempt has moved. Limited, since thousands may be pending. */
async function loadNewestDue(tx: Tx, endpointId: number, now: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "pending")
    .where("lease_until", "is", null)
    .where("next_attempt_at", "<=", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_PUBLISHED_DELIVERIES)
    .execute();
  return rows.map(({ id }) => id);
}

type ReleasedDelivery = DeliveryChange & { id: number; leaseToken: string };
/** Ends a delivery's lease, unless another worker has taken it over. */
const releaseDelivery = (db: Db, change: ReleasedDelivery) =>
  db
    .updateTable("deliveries")
    .set({
      state: change.state,
      step: change.step,
      next_attempt_at: change.next_attempt_at,
      done_at: change.done_at,
      lease_until: null,
      lease_token: null,
    })
    .where("id", "=", change.id)
    .where("lease_token", "=", change.leaseToken)
    .returning("id");
const finishDelivery = prepareStatement<ReleasedDelivery & { byHand: 0 | 1 }, { id: number }>((db, change) =>
  releaseDelivery(db, change).set({ by_hand: change.byHand }),
);
/** For an attempt that did not end. It leaves `by_hand`, so that a manual delivery stays one. */
const requeueDelivery = prepareStatement<ReleasedDelivery, { id: number }>(releaseDelivery);

const ATTEMPT_COLUMNS = {
  delivery_id: "bigint",
  number: "bigint",
  started_at: "bigint",
  duration: "bigint",
  outcome: "text",
  status: "bigint",
  request_headers: "text",
  response_headers: "text",
  response_body: "text",
} as const;
type AttemptRow = Pick<Row<"delivery_attempts">, keyof typeof ATTEMPT_COLUMNS>;

const toAttemptRow = (delivery: ClaimedDelivery["delivery"], result: AttemptResult): AttemptRow => ({
  delivery_id: delivery.id,
  number: delivery.attempts,
  started_at: result.startedAt,
  duration: result.duration,
  outcome: result.outcome,
  status: result.status,
  request_headers: JSON.stringify(result.requestHeaders),
  response_headers: result.responseHeaders && JSON.stringify(result.responseHeaders),
  response_body: result.responseBody,
});

async function insertAttempts(tx: Tx, engine: Engine, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return;
  const columns = sql.join(Object.keys(ATTEMPT_COLUMNS).map((name) => sql.ref(name)));
  await sql`insert into delivery_attempts (${columns}) select ${columns} from ${givenRows(engine, attempts, ATTEMPT_COLUMNS)}`.execute(tx);
}

/** Records the results and skips deliveries whose lease another worker has taken over. */
export async function recordResults(tx: Tx, finished: readonly FinishedAttempt[], { engine, now, publisher, random }: RecordOptions): Promise<void> {
  const endpoints = await lockEndpoints(tx, engine, [...new Set(finished.map(({ delivery }) => delivery.endpoint_id))]);
  const changedEndpointIds = new Set<number>();
  const disabledEndpoints: Row<"webhook_endpoints">[] = [];
  const recordedIds: number[] = [];
  const heldIds: number[] = [];
  const postponedIds: number[] = [];
  const attempts: AttemptRow[] = [];
  for (const { delivery, url, result } of finished) {
    const endpoint = endpoints.get(delivery.endpoint_id);
    if (!endpoint) continue;
    const hasMoved = endpoint.url !== url;
    const decision = decideRetry(delivery, { ...endpoint, hasMoved }, result, now, random());
    const change = { ...decision.delivery, id: delivery.id, leaseToken: delivery.lease_token };
    const isInterrupted = result.outcome === "interrupted";
    const updated = await (isInterrupted ? requeueDelivery(tx, change) : finishDelivery(tx, { ...change, byHand: delivery.is_test }));
    if (updated.length === 0) continue;
    recordedIds.push(delivery.id);
    attempts.push(toAttemptRow(delivery, result));
    if (endpoint.failing_since !== decision.failingSince) {
      endpoint.failing_since = decision.failingSince;
      await tx.updateTable("webhook_endpoints").set({ failing_since: decision.failingSince }).where("id", "=", endpoint.id).execute();
      changedEndpointIds.add(endpoint.id);
    }
    const notBefore = hasMoved ? endpoint.not_before : nextNotBefore(endpoint.not_before, delivery, result, now);
    if (endpoint.not_before !== notBefore) {
      endpoint.not_before = notBefore;
      await tx.updateTable("webhook_endpoints").set({ not_before: notBefore }).where("id", "=", endpoint.id).execute();
      changedEndpointIds.add(endpoint.id);
      postponedIds.push(...(await loadNewestDue(tx, endpoint.id, now)));
    }
    if (decision.disable) {
      heldIds.push(...(await disableEndpoint(tx, now, endpoint, decision.disable)));
      changedEndpointIds.add(endpoint.id);
      disabledEndpoints.push(endpoint);
    }
  }
  await insertAttempts(tx, engine, attempts);
  for (const { delivery_id, number } of attempts)
    if (number > LIMITS.attempts_per_delivery)
      await tx
        .deleteFrom("delivery_attempts")
        .where("delivery_id", "=", delivery_id)
        .where("number", "<=", number - LIMITS.attempts_per_delivery)
        .execute();
  await publisher.publishDeliveries(tx, recordedIds);
  await publisher.publishDeliveries(tx, heldIds);
  await publisher.publishDeliveries(tx, postponedIds);
  for (const id of changedEndpointIds) await publisher.publishEndpoint(tx, id);
  for (const endpoint of disabledEndpoints) await publisher.publishDisabled(tx, endpoint);
}
