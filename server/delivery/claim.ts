/** Who is sent what next: endpoints take turns, and none of them takes all the room. */
import { sql } from "kysely";
import type { Engine } from "../db/database.ts";
import { sharedNow, takeTurns } from "../db/portable.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
import { newSecret } from "../lib/secrets.ts";
import { AHEAD_MS, endLeases, LEASE_MS } from "./leases.ts";

/** Tries under way at one endpoint, over all workers. */
const PER_ENDPOINT = 4;
/** Beyond that one that a person asked for, who waits for what comes back. */
const BY_HAND = 1;
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
  /** For what people asked for. */
  byHand: number;
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
  /** Only what people asked for is sent there: it is paused, or asked us to wait. */
  quiet: boolean;
  /** Something is due that a person asked for. */
  byHand: boolean;
  /** How many more of these it may have besides. */
  extra: number;
  struggling: boolean;
  /** How many more it may have under way. */
  free: number;
}

const due = (now: number) => sql`d.endpoint_id = e.id and d.next_attempt_at <= ${now} and d.lease_until is null`;
const dueByHand = (now: number) => sql<boolean>`exists (select 1 from deliveries d where ${due(now)} and d.by_hand = 1)`;
const isQuiet = (now: number) => sql<boolean>`(e.enabled = 0 or coalesce(e.not_before, 0) > ${now})`;
const hasDue = (now: number) =>
  sql`e.deleted_at is null and (${dueByHand(now)} or (not ${isQuiet(now)} and exists (select 1 from deliveries d where ${due(now)})))`;

/** Endpoints with something due and room for it. */
async function candidates(tx: Tx, now: number): Promise<Candidate[]> {
  const { rows } = await sql<{ id: number; quiet: unknown; by_hand: unknown; failing_since: number | null; busy: number; busy_by_hand: number }>`
    select e.id, e.failing_since, ${isQuiet(now)} as quiet, ${dueByHand(now)} as by_hand,
      (select count(*) from deliveries l where l.endpoint_id = e.id and l.lease_until is not null) as busy,
      (select count(*) from deliveries l where l.endpoint_id = e.id and l.lease_until is not null and l.by_hand = 1) as busy_by_hand
    from webhook_endpoints e
    where ${hasDue(now)}`.execute(tx);
  return rows
    .map(({ id, quiet, by_hand, failing_since, busy, busy_by_hand }) => {
      const besides = Math.min(busy_by_hand, BY_HAND);
      return {
        id,
        quiet: Boolean(quiet),
        byHand: Boolean(by_hand),
        extra: BY_HAND - besides,
        struggling: failing_since !== null,
        free: (failing_since === null ? PER_ENDPOINT : PER_STRUGGLING) - (busy - besides),
      };
    })
    .filter(({ free, byHand, extra }) => free > 0 || (byHand && extra > 0));
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
export async function isAnyDue(db: Db, engine: Engine, now: number): Promise<boolean> {
  const shared = sharedNow(engine, now);
  const { rows } = await sql<{ due: unknown }>`
    select 1 as due where exists (select 1 from webhook_endpoints e where ${hasDue(now)})
      or exists (select 1 from deliveries where lease_until is not null and (lease_until < ${shared} or lease_until > ${shared} + ${LEASE_MS + AHEAD_MS}))`.execute(
    db,
  );
  return rows.length > 0;
}

async function firstDue(tx: Tx, now: number, endpointId: number, byHand: 0 | 1, count: number): Promise<number[]> {
  if (count <= 0) return [];
  const rows = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    // Written out, so that the index of these few is used.
    .where("by_hand", "=", sql.lit(byHand))
    .where("next_attempt_at", "<=", now)
    .where("lease_until", "is", null)
    .orderBy("next_attempt_at")
    .orderBy("id")
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes up what is due, fairly, what people asked for first. The caller's transaction must not hold other locks yet. */
export async function claim(tx: Tx, engine: Engine, now: number, room: Room, turns: Turns, mine: readonly number[]): Promise<Claimed[]> {
  await takeTurns(tx, engine, "webhook claims");
  await endLeases(tx, engine, now, mine);
  const waiting = turns.order(await candidates(tx, now));
  const shares = share(waiting, room);
  const ids: number[] = [];
  let { byHand: left } = room;
  for (const one of waiting) {
    const count = shares.get(one) ?? 0;
    const extra = one.byHand ? Math.min(one.extra, Math.max(left, 0)) : 0;
    const asked = one.byHand ? await firstDue(tx, now, one.id, 1, count + extra) : [];
    const others = one.quiet ? [] : await firstDue(tx, now, one.id, 0, count - Math.max(0, asked.length - extra));
    ids.push(...asked, ...others);
    left -= Math.min(extra, asked.length);
    if (asked.length + others.length > 0) turns.served(one.id);
  }
  if (ids.length === 0) return [];
  const token = newSecret();
  const taken = await tx
    .updateTable("deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), lease_until: sql<number>`${sharedNow(engine, now)} + ${LEASE_MS}`, lease_token: token }))
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
