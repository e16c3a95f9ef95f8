/** Who is sent what next: endpoints take turns, and none of them takes all the room. */
import { sql } from "kysely";
import type { Engine } from "../db/database.ts";
import { takeTurns } from "../db/portable.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import { newSecret } from "../lib/secrets.ts";
import { AHEAD_MS, endLeases, LEASE_MS } from "./leases.ts";

/** Tries under way at one endpoint, over all workers. */
const PER_ENDPOINT = 4;
/** An endpoint that has only failed lately is asked one by one. */
const PER_STRUGGLING = 1;
/** Taken up in one transaction at most, so that nobody waits long behind it. */
const BATCH = 64;

export interface Claimed {
  delivery: Row<"deliveries"> & { lease_token: string };
  endpoint: Pick<Row<"webhook_endpoints">, "id" | "url" | "secret" | "previous_secrets" | "failing_since">;
  event: Pick<Row<"outbound_events">, "id" | "type" | "data">;
}

export interface Room {
  /** For anybody. */
  all: number;
  /** Of it, for endpoints that have only failed lately. */
  struggling: number;
}

/** Remembers who was served when. */
export interface Turns {
  /** Puts those first who have waited longest. */
  order<T extends { id: number }>(candidates: T[]): T[];
  served(id: number): void;
}

const REMEMBERED = 10_000;

export function createTurns(): Turns {
  const last = new Map<number, number>();
  let turn = 0;
  return {
    order: (waiting) => waiting.toSorted((a, b) => (last.get(a.id) ?? 0) - (last.get(b.id) ?? 0) || a.id - b.id),
    served(id) {
      last.delete(id);
      last.set(id, (turn += 1));
      if (last.size > REMEMBERED) last.delete(last.keys().next().value as number);
    },
  };
}

export interface Candidate {
  id: number;
  /** Only tests are sent there. */
  paused: boolean;
  struggling: boolean;
  /** How many more it may have under way. */
  free: number;
}

/** Endpoints with something due and room for it. */
async function candidates(tx: Tx, now: number): Promise<Candidate[]> {
  const { rows } = await sql<{ id: number; enabled: 0 | 1; failing_since: number | null; busy: number }>`
    select e.id, e.enabled, e.failing_since,
      (select count(*) from deliveries l where l.endpoint_id = e.id and l.lease_until is not null) as busy
    from webhook_endpoints e
    where e.deleted_at is null and exists (
      select 1 from deliveries d
      where d.endpoint_id = e.id and d.next_attempt_at <= ${now} and d.lease_until is null and (e.enabled = 1 or d.is_test = 1)
    )`.execute(tx);
  return rows
    .map(({ id, enabled, failing_since, busy }) => ({
      id,
      paused: enabled === 0,
      struggling: failing_since !== null,
      free: (failing_since === null ? PER_ENDPOINT : PER_STRUGGLING) - busy,
    }))
    .filter(({ free }) => free > 0);
}

/** One each, then a second one each, … as far as the room goes. */
export function share(ordered: Candidate[], room: Room): Map<Candidate, number> {
  const shares = new Map<Candidate, number>();
  let { all, struggling } = { all: Math.min(room.all, BATCH), struggling: room.struggling };
  for (let round = 0; round < PER_ENDPOINT && all > 0; round += 1) {
    for (const one of ordered) {
      if (all <= 0) break;
      if (round >= one.free || (one.struggling && struggling <= 0)) continue;
      shares.set(one, round + 1);
      all -= 1;
      if (one.struggling) struggling -= 1;
    }
  }
  return shares;
}

/** Whether anything is due. A look, without the write lock. */
export async function isAnyDue(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql<{ due: unknown }>`
    select 1 as due where exists (
      select 1 from webhook_endpoints e
      where e.deleted_at is null and exists (
        select 1 from deliveries d
        where d.endpoint_id = e.id and d.next_attempt_at <= ${now} and d.lease_until is null and (e.enabled = 1 or d.is_test = 1)
      )
    ) or exists (select 1 from deliveries where lease_until is not null and (lease_until < ${now} or lease_until > ${now + LEASE_MS + AHEAD_MS}))`.execute(db);
  return rows.length > 0;
}

/** Takes up what is due, fairly. The caller's transaction must not hold other locks yet. */
export async function claim(tx: Tx, engine: Engine, now: number, room: Room, turns: Turns, mine: readonly number[]): Promise<Claimed[]> {
  await takeTurns(tx, engine, "webhook claims");
  await endLeases(tx, now, mine);
  const shares = share(turns.order(await candidates(tx, now)), room);
  const ids: number[] = [];
  for (const [{ id, paused }, count] of shares) {
    const due = await tx
      .selectFrom("deliveries")
      .select("id")
      .where("endpoint_id", "=", id)
      .$if(paused, (query) => query.where("is_test", "=", 1))
      .where("next_attempt_at", "<=", now)
      .where("lease_until", "is", null)
      .orderBy("next_attempt_at")
      .orderBy("id")
      .limit(count)
      .execute();
    for (const one of due) ids.push(one.id);
    turns.served(id);
  }
  if (ids.length === 0) return [];
  const token = newSecret();
  const taken = await tx
    .updateTable("deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), lease_until: now + LEASE_MS, lease_token: token }))
    .where("id", "in", ids)
    // Somebody may have paused the endpoint since.
    .where("state", "=", "pending")
    .where("lease_until", "is", null)
    .returningAll()
    .execute();
  return withLetters(
    tx,
    taken.map((delivery) => ({ ...delivery, lease_token: token })),
  );
}

async function withLetters(tx: Tx, deliveries: Claimed["delivery"][]): Promise<Claimed[]> {
  if (deliveries.length === 0) return [];
  const endpoints = await tx
    .selectFrom("webhook_endpoints")
    .select(["id", "url", "secret", "previous_secrets", "failing_since"])
    .where("id", "in", [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))])
    .execute();
  const events = await tx
    .selectFrom("outbound_events")
    .select(["id", "type", "data"])
    .where("id", "in", [...new Set(deliveries.map(({ event_id }) => event_id))])
    .execute();
  const endpointOf = new Map(endpoints.map((one) => [one.id, one]));
  const eventOf = new Map(events.map((one) => [one.id, one]));
  return deliveries.flatMap((delivery) => {
    const [endpoint, event] = [endpointOf.get(delivery.endpoint_id), eventOf.get(delivery.event_id)];
    return endpoint && event ? [{ delivery, endpoint, event }] : [];
  });
}
