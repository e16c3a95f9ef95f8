/** Records how tries ended: attempt, delivery and endpoint in one transaction, or nothing. */
import { sql } from "kysely";
import type { Engine } from "../db/database.ts";
import type { NewRow, Row, Tx } from "../db/schema.ts";
import type { Claimed } from "./claim.ts";
import { LONGEST_WISH } from "./schedule.ts";
import type { Tried } from "./send.ts";
import { verdictOf } from "./verdict.ts";

/** A page or two of a log. */
const TOLD = 100;

export interface Finished {
  delivery: Claimed["delivery"];
  /** Where it was sent. */
  url: string;
  tried: Tried;
}

/** Live events, written with the change; the rows hold the new state already. */
export interface Tell {
  deliveries(tx: Tx, ids: number[]): Promise<void>;
  endpoint(tx: Tx, id: number): Promise<void>;
}

export interface SettleOptions {
  engine: Engine;
  now: number;
  tell: Tell;
  /** 0 to 1. */
  random(): number;
}

/** In one order everywhere, so that no two wait for each other. Other changes may refer to the endpoint meanwhile. */
async function lockEndpoints(tx: Tx, engine: Engine, ids: number[]): Promise<Map<number, Row<"webhook_endpoints">>> {
  const query = tx.selectFrom("webhook_endpoints").selectAll().where("id", "in", ids).orderBy("id");
  const rows = await (engine === "postgres" ? query.modifyEnd(sql`for no key update`) : query).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What waits is kept until somebody asks for it. Answers the ids of these. */
async function disable(
  tx: Tx,
  now: number,
  endpoint: Row<"webhook_endpoints">,
  reason: NonNullable<Row<"webhook_endpoints">["disabled_reason"]>,
): Promise<number[]> {
  Object.assign(endpoint, { enabled: 0, disabled_reason: reason, disabled_at: now, disabled_by: null, updated_at: now });
  const { enabled, disabled_reason, disabled_at, disabled_by, updated_at } = endpoint;
  await tx.updateTable("webhook_endpoints").set({ enabled, disabled_reason, disabled_at, disabled_by, updated_at }).where("id", "=", endpoint.id).execute();
  const held = await tx
    .updateTable("deliveries")
    .set({ state: "held", next_attempt_at: null })
    .where("endpoint_id", "=", endpoint.id)
    .where("state", "=", "pending")
    .where("is_test", "=", 0)
    .where("lease_until", "is", null)
    .returning("id")
    .execute();
  return held.map(({ id }) => id);
}

/** When the receiver may be called again: it asked us to wait (429, 503), or answered well to what passed its wish. */
function notBeforeOf(former: number | null, { by_hand }: Claimed["delivery"], { outcome, wish }: Tried, now: number): number | null {
  if (outcome === "ok" && by_hand === 1) return null;
  return wish !== null && wish > 0 ? Math.max(former ?? 0, now + Math.min(wish, LONGEST_WISH)) : former;
}

/** Those whose next try a page shows, and which has moved: only the newest, since thousands may wait. */
async function newestDue(tx: Tx, endpointId: number, now: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "pending")
    .where("lease_until", "is", null)
    .where("next_attempt_at", "<=", now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(TOLD)
    .execute();
  return rows.map(({ id }) => id);
}

const attemptRow = (delivery: Claimed["delivery"], tried: Tried): NewRow<"delivery_attempts"> => ({
  delivery_id: delivery.id,
  number: delivery.attempts,
  started_at: tried.startedAt,
  duration: tried.duration,
  outcome: tried.outcome,
  status: tried.status,
  request_headers: JSON.stringify(tried.requestHeaders),
  response_headers: tried.responseHeaders && JSON.stringify(tried.responseHeaders),
  response_body: tried.responseBody,
});

/** Leaves out those whose lease went to somebody else. */
export async function settle(tx: Tx, finished: readonly Finished[], { engine, now, tell, random }: SettleOptions): Promise<void> {
  const endpoints = await lockEndpoints(tx, engine, [...new Set(finished.map(({ delivery }) => delivery.endpoint_id))]);
  const changed = new Set<number>();
  const told: number[] = [];
  const held: number[] = [];
  const put: number[] = [];
  const attempts: NewRow<"delivery_attempts">[] = [];
  for (const { delivery, url, tried } of finished) {
    const endpoint = endpoints.get(delivery.endpoint_id);
    if (!endpoint) continue;
    const moved = endpoint.url !== url;
    const verdict = verdictOf(delivery, { ...endpoint, moved }, tried, now, random());
    const { numUpdatedRows } = await tx
      .updateTable("deliveries")
      .set({ ...verdict.delivery, ...(tried.outcome === "interrupted" ? {} : { by_hand: delivery.is_test }), lease_until: null, lease_token: null })
      .where("id", "=", delivery.id)
      .where("lease_token", "=", delivery.lease_token)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) continue;
    told.push(delivery.id);
    attempts.push(attemptRow(delivery, tried));
    if (endpoint.failing_since !== verdict.failingSince) {
      endpoint.failing_since = verdict.failingSince;
      await tx.updateTable("webhook_endpoints").set({ failing_since: verdict.failingSince }).where("id", "=", endpoint.id).execute();
      changed.add(endpoint.id);
    }
    const notBefore = moved ? endpoint.not_before : notBeforeOf(endpoint.not_before, delivery, tried, now);
    if (endpoint.not_before !== notBefore) {
      endpoint.not_before = notBefore;
      await tx.updateTable("webhook_endpoints").set({ not_before: notBefore }).where("id", "=", endpoint.id).execute();
      changed.add(endpoint.id);
      put.push(...(await newestDue(tx, endpoint.id, now)));
    }
    if (verdict.disable) {
      held.push(...(await disable(tx, now, endpoint, verdict.disable)));
      changed.add(endpoint.id);
    }
  }
  if (attempts.length > 0) await tx.insertInto("delivery_attempts").values(attempts).execute();
  await tell.deliveries(tx, told);
  await tell.deliveries(tx, held);
  await tell.deliveries(tx, put);
  for (const id of changed) await tell.endpoint(tx, id);
}
