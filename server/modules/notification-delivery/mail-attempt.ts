/** Attempts an email: loads what is still to be sent, at the last moment, and sends it. */
import type { Mail, MailSender } from "../../delivery/send-mail.ts";
import type { Db } from "../../db/schema.ts";
import { loadQuietEnd } from "../notifications/deliverable.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { createConfirmationLinks } from "./confirmation-links.ts";
import { confirmationContent, mailContent } from "./content.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { CONFIRMATION_VALID_MS, isBlocked, isConfirmed, isSubscribed, type MailAccount, queryMailAccounts } from "./mail-addresses.ts";
import { createMailLinks } from "./mail-links.ts";
import { type Attempt, loadItems, nothing } from "./push-attempt.ts";
import type { AttemptOutcome } from "./record.ts";

type Content = Pick<Mail, "subject" | "text">;

export function createMailAttempt(
  { database, clock, publicUrl, mail, mailLinkKey }: NotificationDeliveryDeps,
  sender: MailSender,
  warn: (error: unknown, message: string) => void,
): Attempt {
  const host = new URL(publicUrl).hostname;
  const links = createMailLinks(mailLinkKey, publicUrl);
  const confirmationLinks = createConfirmationLinks(mailLinkKey, publicUrl);

  async function loadConfirmation(db: Db, delivery: ClaimedDelivery, account: MailAccount): Promise<Content | AttemptOutcome> {
    if (delivery.confirms_email_key !== account.email_key) return nothing("another address");
    if (isConfirmed(account)) return nothing("confirmed before");
    if (account.disabled_at !== null) return nothing("disabled");
    if (await isBlocked(db, confirmationLinks.toAddressTag(account.email_key))) return nothing("unsubscribed");
    const expiresAt = delivery.created_at + CONFIRMATION_VALID_MS;
    if (expiresAt <= clock.now()) return nothing("expired");
    const { organisation } = account;
    return confirmationContent({ organisation, confirmUrl: confirmationLinks.confirmUrl(account, expiresAt), blockUrl: confirmationLinks.blockUrl(account) });
  }

  async function loadNotifications(db: Db, delivery: ClaimedDelivery, account: MailAccount): Promise<Content | AttemptOutcome> {
    if (!isSubscribed(account)) return nothing("unsubscribed");
    if (!isConfirmed(account)) return nothing("address not confirmed");
    const notifications = await loadItems(db, delivery, publicUrl);
    if (notifications.length === 0) return nothing("read before");
    const until = await loadQuietEnd(db, delivery.account_id, clock.now());
    if (until !== null) return { kind: "quiet", until };
    return mailContent(notifications, { publicUrl, organisation: account.organisation, unsubscribeUrl: links.pageUrl(account) });
  }

  return async (delivery, signal) => {
    if (!mail) return nothing("no SMTP server");
    const db = database.read;
    const account = await queryMailAccounts(db).where("accounts.id", "=", delivery.account_id).executeTakeFirstOrThrow();
    const isConfirmation = delivery.confirms_email_key !== null;
    const content = await (isConfirmation ? loadConfirmation : loadNotifications)(db, delivery, account);
    if ("kind" in content) return content;
    const { outcome, error } = await sender.send(
      {
        to: { name: isConfirmation ? "" : account.username, address: account.email },
        ...content,
        messageId: `<${isConfirmation ? "confirmation" : "notifications"}.${delivery.id}.${delivery.created_at}@${host}>`,
        headers: {
          "List-Unsubscribe": `<${isConfirmation ? confirmationLinks.oneClickBlockUrl(account) : links.oneClickUrl(account)}>`,
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
