/** Queues push messages and emails in the transaction that creates their notifications, with as many statements for a thousand people as for one. */
import { sql } from "kysely";
import { givenRows, lockRows, padIds } from "../../db/engine-sql.ts";
import type { NewRow, Tx } from "../../db/schema.ts";
import { SECOND } from "../../lib/clock.ts";
import type { CreatedNotification, OnCreated } from "../notifications/notify.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { nextDigestAt } from "./digest-time.ts";
import { findMailable } from "./mail-addresses.ts";

/** How long a push message waits, so that what somebody is looking at is read before, and what comes at the same time is one message. */
export const PUSH_DELAY_MS = 2 * SECOND;

type Delivery = Pick<NewRow<"notification_deliveries">, "account_id" | "channel" | "is_digest"> & {
  subscription_id: number | null;
  next_attempt_at: number;
};
/** A delivery that is to be sent, and its notifications. */
interface Wanted {
  delivery: Delivery;
  notificationIds: number[];
}

/** One delivery collects what goes to the same place. */
const placeOf = ({ account_id, channel, is_digest, subscription_id }: Omit<Delivery, "next_attempt_at">): string =>
  `${account_id} ${channel} ${is_digest} ${subscription_id}`;

const newRow = (delivery: Delivery, now: number, isTest: boolean): NewRow<"notification_deliveries"> => ({
  ...delivery,
  is_test: isTest ? 1 : 0,
  state: "pending",
  lease_until: null,
  lease_token: null,
  created_at: now,
});

export async function enqueueTest(tx: Tx, now: number, accountId: number, subscriptionId: number): Promise<void> {
  const delivery: Delivery = { account_id: accountId, channel: "push", is_digest: 0, subscription_id: subscriptionId, next_attempt_at: now };
  await tx
    .insertInto("notification_deliveries")
    .values(newRow(delivery, now, true))
    .execute();
}

export function createEnqueue({ database, clock, mail }: NotificationDeliveryDeps): OnCreated {
  const { engine } = database;

  /** Returns deliveries that have not been attempted, by their place; none that another process is about to attempt. */
  async function findCollecting(tx: Tx, wanted: readonly Wanted[]): Promise<Map<string, { id: number; next_attempt_at: number | null }[]>> {
    const query = tx
      .selectFrom("notification_deliveries")
      .select(["id", "account_id", "channel", "is_digest", "subscription_id", "next_attempt_at"])
      .where("account_id", "in", padIds([...new Set(wanted.map(({ delivery }) => delivery.account_id))]))
      .where("attempts", "=", sql.lit(0))
      .where("next_attempt_at", "is not", null)
      .where("next_attempt_at", "<=", Math.max(...wanted.map(({ delivery }) => delivery.next_attempt_at)))
      .where("is_test", "=", 0)
      .where("confirms_email_key", "is", null)
      .orderBy("id");
    return Map.groupBy(await lockRows(query, engine, "skipLocked").execute(), placeOf);
  }

  async function insertDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<Map<string, number>> {
    if (deliveries.length === 0) return new Map();
    const given = givenRows(engine, deliveries, {
      account_id: "bigint",
      channel: "text",
      is_digest: "bigint",
      subscription_id: "bigint",
      next_attempt_at: "bigint",
    });
    const { rows } = await sql<Omit<Delivery, "next_attempt_at"> & { id: number }>`
      insert into notification_deliveries (account_id, channel, is_digest, subscription_id, next_attempt_at, is_test, state, created_at)
      select account_id, channel, is_digest, subscription_id, next_attempt_at, 0, 'pending', cast(${clock.now()} as bigint) from ${given}
      returning id, account_id, channel, is_digest, subscription_id`.execute(tx);
    return new Map(rows.map((row) => [placeOf(row), row.id]));
  }

  /** Adds notifications to deliveries that wait and are due by then, so that a night of do not disturb ends with one message; creates the others. */
  async function add(tx: Tx, wanted: readonly Wanted[]): Promise<void> {
    if (wanted.length === 0) return;
    const collecting = await findCollecting(tx, wanted);
    const waiting = wanted.map(({ delivery, notificationIds }) => ({
      delivery,
      notificationIds,
      id: collecting.get(placeOf(delivery))?.find(({ next_attempt_at }) => next_attempt_at !== null && next_attempt_at <= delivery.next_attempt_at)?.id,
    }));
    const inserted = await insertDeliveries(
      tx,
      waiting.flatMap(({ id, delivery }) => (id === undefined ? [delivery] : [])),
    );
    const items = waiting.flatMap(({ id, delivery, notificationIds }) => {
      const delivery_id = id ?? inserted.get(placeOf(delivery));
      return delivery_id === undefined ? [] : notificationIds.map((notification_id) => ({ delivery_id, notification_id }));
    });
    await sql`insert into notification_delivery_items (delivery_id, notification_id) select delivery_id, notification_id
      from ${givenRows(engine, items, { delivery_id: "bigint", notification_id: "bigint" })} where true on conflict do nothing`.execute(tx);
  }

  async function loadSubscriptions(tx: Tx, accountIds: readonly number[]): Promise<{ id: number; account_id: number }[]> {
    if (accountIds.length === 0) return [];
    return tx.selectFrom("push_subscriptions").select(["id", "account_id"]).where("account_id", "in", padIds(accountIds)).orderBy("id").execute();
  }

  const accountsOf = (created: readonly CreatedNotification[]): number[] => [...new Set(created.map(({ notification }) => notification.account_id))];

  /** Returns the push messages: one to each browser. */
  async function toPush(tx: Tx, created: readonly CreatedNotification[]): Promise<[Delivery, number][]> {
    const pushed = created.filter(({ push }) => push);
    const subscriptions = Map.groupBy(await loadSubscriptions(tx, accountsOf(pushed)), ({ account_id }) => account_id);
    return pushed.flatMap(({ notification: { id, account_id }, quietUntil }) => {
      const next_attempt_at = quietUntil ?? clock.now() + PUSH_DELAY_MS;
      return (subscriptions.get(account_id) ?? []).map((subscription): [Delivery, number] => [
        { account_id, channel: "push", is_digest: 0, subscription_id: subscription.id, next_attempt_at },
        id,
      ]);
    });
  }

  async function toMail(tx: Tx, created: readonly CreatedNotification[]): Promise<[Delivery, number][]> {
    if (!mail) return [];
    const now = clock.now();
    const mailed = created.filter((one) => one.mail !== "off");
    const mailable = await findMailable(tx, accountsOf(mailed), now);
    return mailed.flatMap(({ notification: { id, account_id }, mail: mode, quietUntil, timeZone }): [Delivery, number][] => {
      const waitsUntil = mailable.get(account_id);
      if (waitsUntil === undefined) return [];
      // Confirming the address sends it earlier.
      if (waitsUntil !== null) return [[{ account_id, channel: "mail", is_digest: 0, subscription_id: null, next_attempt_at: waitsUntil }, id]];
      const dueAt = mode === "digest" ? nextDigestAt(now, timeZone) : now + mail.delayMs;
      const next_attempt_at = Math.max(dueAt, quietUntil ?? 0);
      return [[{ account_id, channel: "mail", is_digest: mode === "digest" ? 1 : 0, subscription_id: null, next_attempt_at }, id]];
    });
  }

  return async (tx, created) => {
    const wanted = new Map<string, Wanted>();
    // All notifications of an account in one transaction have the same due time for each place.
    for (const [delivery, notificationId] of [...(await toPush(tx, created)), ...(await toMail(tx, created))]) {
      const before = wanted.get(placeOf(delivery));
      if (before) before.notificationIds.push(notificationId);
      else wanted.set(placeOf(delivery), { delivery, notificationIds: [notificationId] });
    }
    await add(tx, [...wanted.values()]);
  };
}
