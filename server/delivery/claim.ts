/** Claims due deliveries for sending, in round robin over endpoints so that no single endpoint uses up the capacity. */
import { sql } from "kysely";
import type { Engine } from "../db/database.ts";
import { acquireAdvisoryLock, databaseNow, givenValues } from "../db/engine-sql.ts";
import { prepareForEngines, prepareStatement } from "../db/prepared.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import { newSecret } from "../lib/crypto.ts";
import { CLOCK_SKEW_MS, releaseLeases, LEASE_MS } from "./leases.ts";

/** Maximum attempts in flight per endpoint, across all workers. */
const MAX_PER_ENDPOINT = 4;
/** Additional attempts in flight per endpoint for manual deliveries (column `by_hand`): tests and redeliveries, whose result a person waits for. */
const MAX_EXTRA_MANUAL = 1;
/** Maximum attempts in flight for an endpoint whose recent attempts all failed. */
const MAX_PER_FAILING_ENDPOINT = 1;
/** Events reach an agent one after another, in their order. */
const MAX_PER_AGENT_ENDPOINT = 1;
/** Maximum deliveries claimed per transaction, so that other writers do not wait long for the lock. */
const BATCH_SIZE = 64;

export interface ClaimedDelivery {
  delivery: Row<"deliveries"> & { lease_token: string };
  endpoint: Pick<Row<"webhook_endpoints">, "id" | "url" | "secret" | "previous_secrets" | "failing_since" | "agent_id" | "project_ids" | "token_id">;
  event: Pick<Row<"outbound_events">, "id" | "type" | "data" | "project_id">;
}

export interface Capacity {
  /** Free slots for any endpoint. */
  anySlots: number;
  /** The share of `anySlots` that failing endpoints may use. */
  failingSlots: number;
  /** Free slots for manual deliveries. */
  manualSlots: number;
}

/** Tracks when each endpoint was last served. */
export interface RoundRobin {
  /** Sorts the candidates so that the endpoint that has waited longest comes first. */
  sortByLongestWait<T extends { id: number }>(candidates: T[]): T[];
  markServed(id: number): void;
}

const MAX_TRACKED_ENDPOINTS = 10_000;

export function createRoundRobin(): RoundRobin {
  const lastServed = new Map<number, number>();
  let counter = 0;
  return {
    sortByLongestWait: (candidates) => candidates.toSorted((a, b) => (lastServed.get(a.id) ?? 0) - (lastServed.get(b.id) ?? 0) || a.id - b.id),
    markServed(id) {
      lastServed.delete(id);
      lastServed.set(id, (counter += 1));
      if (lastServed.size > MAX_TRACKED_ENDPOINTS) lastServed.delete(lastServed.keys().next().value as number);
    },
  };
}

export interface Candidate {
  id: number;
  /** True while the endpoint is paused or has asked us to wait: only manual deliveries are sent to it. */
  isManualOnly: boolean;
  /** True when a manual delivery is due. */
  hasManual: boolean;
  /** Free slots for manual deliveries, on top of `freeSlots`. */
  extraSlots: number;
  isFailing: boolean;
  /** Free slots for any delivery to this endpoint. */
  freeSlots: number;
}

const due = (now: number) => sql`d.endpoint_id = e.id and d.next_attempt_at <= ${now} and d.lease_until is null`;
const hasDueManual = (now: number) => sql<boolean>`exists (select 1 from deliveries d where ${due(now)} and d.by_hand = 1)`;
const isManualOnly = (now: number) => sql<boolean>`(e.enabled = 0 or coalesce(e.not_before, 0) > ${now})`;
/** Nothing is sent to a paused or disabled agent, not even by hand. */
const isAgentActive = sql`(e.agent_id is null or exists (select 1 from agents g join accounts a on a.id = g.account_id
  where g.account_id = e.agent_id and g.paused_at is null and a.disabled_at is null))`;
const hasDue = (now: number) =>
  sql`e.deleted_at is null and ${isAgentActive} and (${hasDueManual(now)} or (not ${isManualOnly(now)} and exists (select 1 from deliveries d where ${due(now)})))`;

const selectCandidates = prepareStatement<
  { now: number },
  {
    id: number;
    manual_only: unknown;
    has_manual: unknown;
    agent_id: number | null;
    failing_since: number | null;
    busy: number;
    busy_manual: number;
  }
>(
  (_db, { now }) => sql`
    select e.id, e.agent_id, e.failing_since, ${isManualOnly(now)} as manual_only, ${hasDueManual(now)} as has_manual,
      (select count(*) from deliveries l where l.endpoint_id = e.id and l.lease_until is not null) as busy,
      (select count(*) from deliveries l where l.endpoint_id = e.id and l.lease_until is not null and l.by_hand = 1) as busy_manual
    from webhook_endpoints e
    where ${hasDue(now)}`,
);

/** Returns the endpoints that have a due delivery and a free slot for it. */
async function loadCandidates(tx: Tx, now: number): Promise<Candidate[]> {
  const rows = await selectCandidates(tx, { now });
  return rows
    .map(({ id, agent_id, manual_only, has_manual, failing_since, busy, busy_manual }) => {
      const usedExtraSlots = Math.min(busy_manual, MAX_EXTRA_MANUAL);
      const maxSlots = agent_id === null ? MAX_PER_ENDPOINT : MAX_PER_AGENT_ENDPOINT;
      return {
        id,
        isManualOnly: Boolean(manual_only),
        hasManual: Boolean(has_manual),
        extraSlots: MAX_EXTRA_MANUAL - usedExtraSlots,
        isFailing: failing_since !== null,
        freeSlots: (failing_since === null ? maxSlots : MAX_PER_FAILING_ENDPOINT) - (busy - usedExtraSlots),
      };
    })
    .filter(({ freeSlots, hasManual, extraSlots }) => freeSlots > 0 || (hasManual && extraSlots > 0));
}

/** Shares the capacity in rounds: one slot per endpoint, then a second one, until the capacity is used up. */
export function shareCapacity(ordered: Candidate[], capacity: Capacity): Map<Candidate, number> {
  const shares = new Map<Candidate, number>();
  let remainingSlots = Math.min(capacity.anySlots, BATCH_SIZE);
  let remainingFailingSlots = capacity.failingSlots;
  for (let round = 0; round < MAX_PER_ENDPOINT && remainingSlots > 0; round += 1) {
    for (const candidate of ordered) {
      if (remainingSlots <= 0) break;
      if (round >= candidate.freeSlots || (candidate.isFailing && remainingFailingSlots <= 0)) continue;
      shares.set(candidate, round + 1);
      remainingSlots -= 1;
      if (candidate.isFailing) remainingFailingSlots -= 1;
    }
  }
  return shares;
}

const selectDueOrExpired = prepareForEngines<{ now: number }, { due: unknown }>((engine, _db, { now }) => {
  const databaseTime = databaseNow(engine, now);
  return sql`
    select 1 as due where exists (select 1 from webhook_endpoints e where ${hasDue(now)})
      or exists (select 1 from deliveries where lease_until is not null and (lease_until < ${databaseTime} or lease_until > ${databaseTime} + ${LEASE_MS + CLOCK_SKEW_MS}))`;
});

/** Returns whether any delivery is due or any lease has expired, without taking the write lock. */
export const hasDueDeliveries = async (db: Db, engine: Engine, now: number): Promise<boolean> => (await selectDueOrExpired[engine](db, { now })).length > 0;

const selectDueIds = (manual: 0 | 1) =>
  prepareStatement<{ now: number; endpointId: number; count: number }, { id: number }>((db, { now, endpointId, count }) =>
    db
      .selectFrom("deliveries")
      .select("id")
      .where("endpoint_id", "=", endpointId)
      // A literal instead of a parameter, so that the planner can use the partial index.
      .where("by_hand", "=", sql.lit(manual))
      .where("next_attempt_at", "<=", now)
      .where("lease_until", "is", null)
      .orderBy("next_attempt_at")
      .orderBy("id")
      .limit(count),
  );
const selectDue = { 0: selectDueIds(0), 1: selectDueIds(1) };

async function loadDueIds(tx: Tx, now: number, endpointId: number, manual: 0 | 1, count: number): Promise<number[]> {
  if (count <= 0) return [];
  return (await selectDue[manual](tx, { now, endpointId, count })).map(({ id }) => id);
}

const leaseDeliveries = prepareForEngines<{ list: string; now: number; token: string }, Row<"deliveries">>((engine, db, { list, now, token }) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), lease_until: sql<number>`${databaseNow(engine, now)} + ${LEASE_MS}`, lease_token: token }))
    .where("id", "in", givenValues<number>(engine, list, "bigint"))
    // The endpoint may have been paused in the meantime.
    .where("state", "=", "pending")
    .where("lease_until", "is", null)
    .returningAll(),
);

/** Claims due deliveries fairly, manual ones first. The caller's transaction must not hold other locks yet. */
export async function claim(
  tx: Tx,
  engine: Engine,
  now: number,
  capacity: Capacity,
  roundRobin: RoundRobin,
  ownIds: readonly number[],
): Promise<ClaimedDelivery[]> {
  await acquireAdvisoryLock(tx, engine, "webhook claims");
  await releaseLeases(tx, engine, now, ownIds);
  const candidates = roundRobin.sortByLongestWait(await loadCandidates(tx, now));
  const shares = shareCapacity(candidates, capacity);
  const ids: number[] = [];
  let { manualSlots: remainingManual } = capacity;
  for (const candidate of candidates) {
    const count = shares.get(candidate) ?? 0;
    const extraSlots = candidate.hasManual ? Math.min(candidate.extraSlots, Math.max(remainingManual, 0)) : 0;
    const manualIds = candidate.hasManual ? await loadDueIds(tx, now, candidate.id, 1, count + extraSlots) : [];
    const otherIds = candidate.isManualOnly ? [] : await loadDueIds(tx, now, candidate.id, 0, count - Math.max(0, manualIds.length - extraSlots));
    ids.push(...manualIds, ...otherIds);
    remainingManual -= Math.min(extraSlots, manualIds.length);
    if (manualIds.length + otherIds.length > 0) roundRobin.markServed(candidate.id);
  }
  if (ids.length === 0) return [];
  const token = newSecret();
  const claimed = await leaseDeliveries[engine](tx, { list: JSON.stringify(ids), now, token });
  return withEndpointAndEvent(
    tx,
    engine,
    claimed.map((delivery) => ({ ...delivery, lease_token: token })),
  );
}

const selectEndpoints = prepareForEngines<{ list: string }, ClaimedDelivery["endpoint"]>((engine, db, { list }) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "secret", "previous_secrets", "failing_since", "agent_id", "project_ids", "token_id"])
    .where("id", "in", givenValues<number>(engine, list, "bigint")),
);
const selectEvents = prepareForEngines<{ list: string }, ClaimedDelivery["event"]>((engine, db, { list }) =>
  db
    .selectFrom("outbound_events")
    .select(["id", "type", "data", "project_id"])
    .where("id", "in", givenValues<string>(engine, list, "text")),
);

async function withEndpointAndEvent(tx: Tx, engine: Engine, deliveries: ClaimedDelivery["delivery"][]): Promise<ClaimedDelivery[]> {
  if (deliveries.length === 0) return [];
  const listOf = (ids: readonly (number | string)[]) => JSON.stringify([...new Set(ids)]);
  const endpoints = await selectEndpoints[engine](tx, { list: listOf(deliveries.map(({ endpoint_id }) => endpoint_id)) });
  const events = await selectEvents[engine](tx, { list: listOf(deliveries.map(({ event_id }) => event_id)) });
  const endpointById = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const eventById = new Map(events.map((event) => [event.id, event]));
  return deliveries.flatMap((delivery) => {
    const [endpoint, event] = [endpointById.get(delivery.endpoint_id), eventById.get(delivery.event_id)];
    return endpoint && event ? [{ delivery, endpoint, event }] : [];
  });
}
