/** Makes one attempt: loads what is still to be sent, at the last moment, and sends it. */
import type { Notification } from "../../../contract/notification-records.ts";
import type { Db } from "../../db/schema.ts";
import type { AttemptResult } from "../../delivery/guarded-post.ts";
import type { MailSender } from "../../delivery/send-mail.ts";
import type { PushSender } from "../../delivery/send-push.ts";
import { DAY, SECOND } from "../../lib/clock.ts";
import { sessionExpiresAt } from "../accounts/authentication.ts";
import { loadDeliverable, loadQuietEnd } from "../notifications/deliverable.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { mailContent, pushContent, TEST_CONTENT } from "./content.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import type { MailLinks } from "./mail-links.ts";
import type { AttemptOutcome } from "./record.ts";

/** How long a push service keeps a message for a browser that is not running. */
const PUSH_TTL_SECONDS = DAY / SECOND;
/** What a push service responds for a browser that has withdrawn its permission or no longer exists. */
const GONE_STATUSES = [404, 410];

export type Attempt = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

const nothing = (detail: string): AttemptOutcome => ({ kind: "nothing", detail });

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
async function loadItems(db: Db, { id, account_id, channel }: ClaimedDelivery, publicUrl: string): Promise<Notification[]> {
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

export function createMailAttempt(
  { database, clock, publicUrl, mail }: NotificationDeliveryDeps,
  links: MailLinks,
  sender: MailSender,
  warn: (error: unknown, message: string) => void,
): Attempt {
  const host = new URL(publicUrl).hostname;
  return async (delivery, signal) => {
    const db = database.read;
    const account = await db
      .selectFrom("accounts")
      .innerJoin("organisations", "organisations.id", "accounts.organisation_id")
      .leftJoin("mail_opt_outs", "mail_opt_outs.account_id", "accounts.id")
      .select(["accounts.id", "username", "email", "email_key", "organisations.name as organisation", "mail_opt_outs.created_at as opted_out_at"])
      .where("accounts.id", "=", delivery.account_id)
      .executeTakeFirstOrThrow();
    if (account.opted_out_at !== null || !mail) return nothing("unsubscribed");
    const notifications = await loadItems(db, delivery, publicUrl);
    if (notifications.length === 0) return nothing("read before");
    const until = await loadQuietEnd(db, delivery.account_id, clock.now());
    if (until !== null) return { kind: "quiet", until };
    const { organisation } = account;
    const { outcome, error } = await sender.send(
      {
        to: { name: account.username, address: account.email },
        ...mailContent(notifications, { publicUrl, organisation, unsubscribeUrl: links.pageUrl(account) }),
        messageId: `<notifications.${delivery.id}.${delivery.created_at}@${host}>`,
        headers: {
          "List-Unsubscribe": `<${links.oneClickUrl(account)}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          "List-Id": `Talkback notifications <notifications.${host}>`,
          "Auto-Submitted": "auto-generated",
        },
      },
      signal,
    );
    if (outcome === "ok") return { kind: "sent", detail: outcome };
    if (outcome === "interrupted") return { kind: "interrupted", detail: outcome };
    if (delivery.step === 0) warn(error, `email ${delivery.id} was not sent: ${outcome}${outcome === "rejected" ? "" : "; it is retried"}`);
    return outcome === "rejected" ? { kind: "refused", detail: outcome } : { kind: "failed", detail: outcome, retryAfterMs: null };
  };
}
