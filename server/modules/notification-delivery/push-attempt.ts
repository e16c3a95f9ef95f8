/** Attempts a push message: loads what is still to be sent, at the last moment, and sends it. */
import type { Notification } from "../../../contract/notification-records.ts";
import type { Db } from "../../db/schema.ts";
import type { AttemptResult } from "../../delivery/guarded-post.ts";
import type { PushSender } from "../../delivery/send-push.ts";
import { DAY, SECOND } from "../../lib/clock.ts";
import { sessionExpiresAt } from "../accounts/authentication.ts";
import { loadDeliverable, loadQuietEnd } from "../notifications/deliverable.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { pushContent, TEST_CONTENT } from "./content.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import type { AttemptOutcome } from "./record.ts";

/** How long a push service keeps a message for a browser that is not running. */
const PUSH_TTL_SECONDS = DAY / SECOND;
/** What a push service responds for a browser that has withdrawn its permission or no longer exists. */
const GONE_STATUSES = [404, 410];

export type Attempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

export const nothing = (detail: string): AttemptOutcome => ({ kind: "nothing", detail });

function toPushOutcome({ outcome, status, retryAfterMs }: AttemptResult): AttemptOutcome {
  const detail = status === null ? outcome : `HTTP ${status}`;
  if (outcome === "ok") return { kind: "sent", detail };
  if (outcome === "interrupted") return { kind: "interrupted", detail };
  if (status !== null && GONE_STATUSES.includes(status)) return { kind: "gone", detail };
  // Other statuses of 400 and above mean that the message or our key is wrong; 429 and those of 500 and above may pass.
  if (status !== null && status >= 300 && status < 500 && status !== 429) return { kind: "refused", detail };
  return { kind: "failed", detail, retryAfterMs };
}

/** Returns the notifications of a delivery that their account can still see, has not read, and still wants in this way. */
export async function loadItems(db: Db, { id, account_id, channel }: ClaimedDelivery, publicUrl: string): Promise<Notification[]> {
  const items = await db.selectFrom("notification_delivery_items").select("notification_id").where("delivery_id", "=", id).execute();
  return loadDeliverable(db, publicUrl, { accountId: account_id, channel, ids: items.map(({ notification_id }) => notification_id) });
}

export function createPushAttempt({ database, clock, publicUrl, pushTargets }: NotificationDeliveryDeps, sender: PushSender): Attempt {
  return async (delivery, signal) => {
    const db = database.read;
    const subscription = await db
      .selectFrom("push_subscriptions")
      .innerJoin("sessions", "sessions.id", "push_subscriptions.session_id")
      .select(["push_subscriptions.target", "sessions.created_at", "sessions.last_seen_at"])
      .where("push_subscriptions.id", "=", delivery.subscription_id)
      .executeTakeFirst();
    if (!subscription || sessionExpiresAt(subscription) <= clock.now()) return nothing("signed out");
    const target = pushTargets.fromColumn(subscription.target);
    if (!target) return { kind: "gone", detail: "stored with another master key" };
    const notifications = delivery.is_test ? [] : await loadItems(db, delivery, publicUrl);
    if (!delivery.is_test) {
      if (notifications.length === 0) return nothing("read before");
      const until = await loadQuietEnd(db, delivery.account_id, clock.now());
      if (until !== null) return { kind: "quiet", until };
    }
    const payload = JSON.stringify(delivery.is_test ? TEST_CONTENT : pushContent(notifications));
    return toPushOutcome(await sender.send({ target, payload, ttlSeconds: PUSH_TTL_SECONDS }, signal));
  };
}
