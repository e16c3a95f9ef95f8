/** Queues push messages and emails in the transaction that creates their notifications. */
import type { Database } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { NewRow, Tx } from "../../db/schema.ts";
import { SECOND } from "../../lib/clock.ts";
import { loadRecipients } from "../notifications/channels.ts";
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

/** Returns a delivery to the same place that has not been attempted and is due by then; none if another process is about to attempt it. */
function findCollecting(tx: Tx, engine: Database["engine"], { account_id, channel, is_digest, subscription_id, next_attempt_at }: Delivery) {
  const query = tx
    .selectFrom("notification_deliveries")
    .select("id")
    .where("account_id", "=", account_id)
    .where("channel", "=", channel)
    .where("attempts", "=", 0)
    .where("next_attempt_at", "is not", null)
    .where("next_attempt_at", "<=", next_attempt_at)
    .where("is_digest", "=", is_digest)
    .where("is_test", "=", 0)
    .where("confirms_email_key", "is", null)
    .where("subscription_id", subscription_id === null ? "is" : "=", subscription_id)
    .orderBy("id")
    .limit(1);
  return lockRows(query, engine, "skipLocked").executeTakeFirst();
}

export function createEnqueue(deps: NotificationDeliveryDeps): OnCreated {
  const { database, clock, mail } = deps;

  /** Adds notifications to a delivery that waits, so that a night of do not disturb ends with one message. */
  async function add(tx: Tx, delivery: Delivery, notificationIds: readonly number[]): Promise<void> {
    const collecting = await findCollecting(tx, database.engine, delivery);
    const { id } =
      collecting ??
      (await tx
        .insertInto("notification_deliveries")
        .values(newRow(delivery, clock.now(), false))
        .returning("id")
        .executeTakeFirstOrThrow());
    await tx
      .insertInto("notification_delivery_items")
      .values(notificationIds.map((notification_id) => ({ delivery_id: id, notification_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function enqueuePush(tx: Tx, accountId: number, { notification, quietUntil }: CreatedNotification, subscriptions: readonly number[]): Promise<void> {
    const next_attempt_at = quietUntil ?? clock.now() + PUSH_DELAY_MS;
    for (const subscription_id of subscriptions)
      await add(tx, { account_id: accountId, channel: "push", is_digest: 0, subscription_id, next_attempt_at }, [notification.id]);
  }

  async function enqueueMail(
    tx: Tx,
    accountId: number,
    { notification, mail: mode, quietUntil }: CreatedNotification,
    { delayMs, timeZone }: { delayMs: number; timeZone: string },
  ): Promise<void> {
    const now = clock.now();
    const is_digest = mode === "digest" ? 1 : 0;
    const dueAt = is_digest ? nextDigestAt(now, timeZone) : now + delayMs;
    const next_attempt_at = Math.max(dueAt, quietUntil ?? 0);
    await add(tx, { account_id: accountId, channel: "mail", is_digest, subscription_id: null, next_attempt_at }, [notification.id]);
  }

  /** Returns the browsers of each account. */
  async function loadSubscriptions(tx: Tx, accountIds: readonly number[]): Promise<Map<number, number[]>> {
    if (accountIds.length === 0) return new Map();
    const rows = await tx.selectFrom("push_subscriptions").select(["id", "account_id"]).where("account_id", "in", accountIds).orderBy("id").execute();
    return new Map([...Map.groupBy(rows, ({ account_id }) => account_id)].map(([accountId, own]) => [accountId, own.map(({ id }) => id)]));
  }

  return async (tx, created) => {
    const accountsOf = (chosen: readonly CreatedNotification[]) => [...new Set(chosen.map(({ notification }) => notification.account_id))];
    const pushed = created.filter(({ push }) => push);
    const mailed = mail ? created.filter((one) => one.mail !== "off") : [];
    const subscriptions = await loadSubscriptions(tx, accountsOf(pushed));
    for (const one of pushed) await enqueuePush(tx, one.notification.account_id, one, subscriptions.get(one.notification.account_id) ?? []);
    const mailable = await findMailable(tx, accountsOf(mailed));
    const timeZones = new Map((await loadRecipients(tx, accountsOf(mailed), null)).map(({ id, timeZone }) => [id, timeZone]));
    for (const one of mailed) {
      const { account_id } = one.notification;
      const timeZone = timeZones.get(account_id);
      if (mail && timeZone !== undefined && mailable.has(account_id)) await enqueueMail(tx, account_id, one, { delayMs: mail.delayMs, timeZone });
    }
  };
}
