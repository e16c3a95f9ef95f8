/** Claims due push messages or emails with a lease, by turns of accounts, and recovers those of dead processes. */
import { sql } from "kysely";
import type { Engine } from "../../db/database.ts";
import { databaseNow, lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { CLOCK_SKEW_MS, LEASE_MS } from "../../delivery/leases.ts";
import { MAIL_DEADLINE_MS } from "../../delivery/send-mail.ts";
import { MINUTE } from "../../lib/clock.ts";
import { newSecret } from "../../lib/crypto.ts";

export type Channel = Row<"notification_deliveries">["channel"];
export type ClaimedDelivery = Row<"notification_deliveries"> & { lease_token: string };

/** Attempts in flight for one account, so that nobody fills the capacity with addresses that do not respond. */
const MAX_PER_ACCOUNT = 4;

/** Lease durations, longer than the limit of an attempt. */
const LEASES: Readonly<Record<Channel, number>> = { push: LEASE_MS, mail: MAIL_DEADLINE_MS + MINUTE };

const isAbandoned = (engine: Engine, channel: Channel, now: number) => {
  const time = databaseNow(engine, now);
  return sql<boolean>`(lease_until is not null and (lease_until < ${time} or lease_until > ${time} + ${LEASES[channel] + CLOCK_SKEW_MS}))`;
};
const isDue = (now: number) => sql<boolean>`(next_attempt_at is not null and next_attempt_at <= ${now} and lease_until is null)`;

/** Returns whether anything is due or any lease has expired, without taking the write lock. */
export async function hasDue(db: Db, engine: Engine, channel: Channel, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 as due where
    exists (select 1 from notification_deliveries where channel = ${channel} and ${isDue(now)})
    or exists (select 1 from notification_deliveries where channel = ${channel} and ${isAbandoned(engine, channel, now)})`.execute(db);
  return rows.length > 0;
}

/** Makes deliveries of dead processes claimable. `ownIds` are in flight in this process. */
async function releaseAbandoned(tx: Tx, engine: Engine, channel: Channel, now: number, ownIds: readonly number[]): Promise<void> {
  await tx
    .updateTable("notification_deliveries")
    .set({ lease_until: null, lease_token: null })
    .where("channel", "=", channel)
    .where(isAbandoned(engine, channel, now))
    .$if(ownIds.length > 0, (query) => query.where("id", "not in", ownIds))
    .execute();
}

/** Releases all leases. Only for when no other process uses the database. */
export async function releaseAllLeases(tx: Tx): Promise<void> {
  await tx.updateTable("notification_deliveries").set({ lease_until: null, lease_token: null }).where("lease_until", "is not", null).execute();
}

/** So many of the oldest due deliveries, of accounts that may have more in flight, take part in the turns: reading all would take longer the more are due. */
const CANDIDATES = 256;

/** Returns up to `count` due deliveries: the oldest of each account, then the second oldest. */
async function findDue(tx: Tx, channel: Channel, now: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with running as (
      select account_id, count(*) as busy from notification_deliveries where channel = ${channel} and lease_until is not null group by account_id
    ), oldest as (
      select id, account_id, next_attempt_at from notification_deliveries
      where channel = ${channel} and ${isDue(now)} and account_id not in (select account_id from running where busy >= ${MAX_PER_ACCOUNT})
      order by next_attempt_at, id limit ${CANDIDATES}
    ), due as (
      select id, account_id, next_attempt_at, row_number() over (partition by account_id order by next_attempt_at, id) as turn from oldest
    )
    select due.id from due left join running on running.account_id = due.account_id
    where due.turn + coalesce(running.busy, 0) <= ${MAX_PER_ACCOUNT}
    order by due.turn + coalesce(running.busy, 0), due.next_attempt_at, due.id limit ${count}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function claim(
  tx: Tx,
  engine: Engine,
  channel: Channel,
  now: number,
  { count, ownIds }: { count: number; ownIds: readonly number[] },
): Promise<ClaimedDelivery[]> {
  await releaseAbandoned(tx, engine, channel, now, ownIds);
  const found = await findDue(tx, channel, now, count);
  if (found.length === 0) return [];
  // Skips what another process is claiming, and what just gets another notification.
  const due = tx.selectFrom("notification_deliveries").select("id").where("id", "in", found).where(isDue(now));
  const ids = (await lockRows(due, engine, "skipLocked").execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const token = newSecret();
  const claimed = await tx
    .updateTable("notification_deliveries")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), lease_until: sql<number>`${databaseNow(engine, now)} + ${LEASES[channel]}`, lease_token: token }))
    .where("id", "in", ids)
    .returningAll()
    .execute();
  return claimed.map((delivery) => ({ ...delivery, lease_token: token }));
}

/** Makes deliveries due that were created before the clock was set back: their due time may lie far in the future. Digests have their time of day. */
export async function resetDueTimes(tx: Tx, channel: Channel, now: number): Promise<void> {
  await tx
    .updateTable("notification_deliveries")
    .set({ next_attempt_at: now, created_at: now })
    .where("channel", "=", channel)
    .where("is_digest", "=", 0)
    .where("next_attempt_at", "is not", null)
    .where("created_at", ">", now)
    .execute();
}
