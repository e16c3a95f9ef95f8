/** Confirms the addresses of accounts: queues the email with the link, and uses the link. */
import { LIMITS } from "../../../contract/limits.ts";
import type { MailConfirmation, MailSettings } from "../../../contract/notification-delivery-records.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { DAY, HOUR, SECOND } from "../../lib/clock.ts";
import { conflict, HttpError } from "../../lib/errors.ts";
import { createConfirmationLinks } from "./confirmation-links.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { CONFIRMATION_VALID_MS, isBlocked, isConfirmed, type MailAccount, queryMailAccounts } from "./mail-addresses.ts";

const MAX_PER_DAY = LIMITS.confirmation_emails_per_day;
const MAX_OF_ORGANISATION = LIMITS.confirmation_emails_of_organisation_per_day;

/** The columns that all confirmation emails share in the queue. */
const CONFIRMATION = {
  channel: "mail",
  subscription_id: null,
  is_test: 0,
  is_digest: 0,
  state: "pending",
  lease_until: null,
  lease_token: null,
} as const;

const toView = (account: MailAccount): MailConfirmation => ({
  organisation: account.organisation,
  username: account.username,
  email: account.email,
  confirmed: isConfirmed(account),
});

/** Returns whether emails go to the current address of an account, and if not, why. */
export async function loadAddressStatus(db: Db, account: MailAccount, addressTag: string, now: number): Promise<MailSettings["address_status"]> {
  if (isConfirmed(account)) return "confirmed";
  if (await isBlocked(db, addressTag)) return "blocked";
  const newest = await db
    .selectFrom("notification_deliveries")
    .select("state")
    .where("account_id", "=", account.id)
    .where("confirms_email_key", "=", account.email_key)
    .where("created_at", ">", Math.max(now - CONFIRMATION_VALID_MS, account.opted_out_by_link_at ?? 0))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (newest?.state === "failed") return "undeliverable";
  if (newest && newest.state !== "skipped") return "confirmation_sent";
  return account.opted_out_by_link_at === null ? "unconfirmed" : "unsubscribed_by_link";
}

export function createMailConfirmations({ database, clock, events, mail, mailLinkKey, publicUrl }: NotificationDeliveryDeps) {
  const links = createConfirmationLinks(mailLinkKey, publicUrl);

  /** Returns which limit is reached, and until when: emails a day to the account, to its address in the organization, and from the organization. */
  async function findReachedLimit(tx: Tx, { id, email_key, organisation_id }: MailAccount): Promise<{ text: string; until: number } | null> {
    const since = clock.now() - DAY;
    const sent = tx
      .selectFrom("notification_deliveries as sent")
      .innerJoin("accounts", "accounts.id", "sent.account_id")
      .select("sent.created_at")
      .where("sent.confirms_email_key", "is not", null)
      .where("sent.created_at", ">", since)
      .where("accounts.organisation_id", "=", organisation_id)
      .orderBy("sent.created_at", "desc");
    const toPerson = `At most ${MAX_PER_DAY} confirmation emails a day are sent to an account and an address.`;
    const limits = [
      { text: toPerson, nth: MAX_PER_DAY, query: sent.where("sent.account_id", "=", id) },
      { text: toPerson, nth: MAX_PER_DAY, query: sent.where("sent.confirms_email_key", "=", email_key) },
      { text: `An organization sends at most ${MAX_OF_ORGANISATION} confirmation emails a day.`, nth: MAX_OF_ORGANISATION, query: sent },
    ];
    const reached: { text: string; until: number }[] = [];
    for (const { text, nth, query } of limits) {
      const row = await query
        .offset(nth - 1)
        .limit(1)
        .executeTakeFirst();
      if (row) reached.push({ text, until: row.created_at + DAY });
    }
    return reached.toSorted((a, b) => b.until - a.until)[0] ?? null;
  }

  async function findError(tx: Tx, account: MailAccount): Promise<HttpError | null> {
    if (!mail) return conflict("This service sends no emails.");
    if (isConfirmed(account)) return conflict("This email address is confirmed already.");
    if (await isBlocked(tx, links.toAddressTag(account.email_key)))
      return conflict("Whoever reads this email address asked for no more emails. Change the address in your profile, or undo that by the link in the email.");
    const limit = await findReachedLimit(tx, account);
    if (!limit) return null;
    const waitMs = limit.until - clock.now();
    const hours = Math.ceil(waitMs / HOUR);
    return new HttpError(429, `${limit.text} Try again in ${hours === 1 ? "an hour" : `${hours} hours`}.`, { retryAfter: Math.ceil(waitMs / SECOND) });
  }

  /** Queues the email unless something prevents it, which is returned. */
  async function enqueue(tx: Tx, accountId: number): Promise<HttpError | null> {
    const account = await queryMailAccounts(tx).where("accounts.id", "=", accountId).executeTakeFirstOrThrow();
    await acquireAdvisoryLock(tx, database.engine, `confirmation ${account.organisation_id} ${account.email_key}`);
    const error = await findError(tx, account);
    if (error) return error;
    const now = clock.now();
    await tx
      .insertInto("notification_deliveries")
      .values({ ...CONFIRMATION, account_id: account.id, confirms_email_key: account.email_key, next_attempt_at: now, created_at: now })
      .execute();
    return null;
  }

  async function findByToken(db: Db, token: string): Promise<MailAccount> {
    const link = links.readConfirmation(token);
    const account = link && (await queryMailAccounts(db).where("accounts.id", "=", link.accountId).executeTakeFirst());
    if (!link || !account) throw new HttpError(404, "This link is invalid.");
    if (link.addressTag !== links.toAddressTag(account.email_key)) throw conflict("The account has another email address by now.");
    if (link.expiresAt <= clock.now() && !isConfirmed(account)) throw new HttpError(410, "This link has expired.");
    return account;
  }

  return {
    /** Sends the email to an account that has just been created. */
    async onAccountCreated(tx: Tx, accountId: number): Promise<void> {
      if (mail) await enqueue(tx, accountId);
    },

    /**
     * Sends the email to the new address, unless the person wants none. Publishes nothing to the account's topic, because the changed row is locked: clients
     * load their mail settings after `account.updated`.
     */
    async onEmailChanged(tx: Tx, accountId: number): Promise<void> {
      if (!mail) return;
      const optOut = await tx.selectFrom("mail_opt_outs").select("account_id").where("account_id", "=", accountId).executeTakeFirst();
      if (!optOut) await enqueue(tx, accountId);
    },

    async send(actor: Actor): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        await events.lock(tx, topicOf.account(actor.accountId));
        const error = await enqueue(tx, actor.accountId);
        if (error) throw error;
        await events.append(tx, topicOf.account(actor.accountId), "notification_channels.changed", {});
      });
    },

    preview: async (token: string): Promise<MailConfirmation> => toView(await findByToken(database.read, token)),

    /** Confirms the address, and subscribes again if the person or a reader of the address had unsubscribed. */
    confirm: (token: string): Promise<MailConfirmation> =>
      database.write(async (tx) => {
        const account = await findByToken(tx, token);
        const { id, email_key } = account;
        if (isConfirmed(account)) return toView(account);
        // Sends what waited for the confirmation. Notifying locks these rows before the topic too.
        await tx
          .updateTable("notification_deliveries")
          .set({ next_attempt_at: clock.now() + (mail?.delayMs ?? 0) })
          .where("account_id", "=", id)
          .where("channel", "=", "mail")
          .where("confirms_email_key", "is", null)
          .where("is_digest", "=", 0)
          .where("attempts", "=", 0)
          .where("next_attempt_at", "is not", null)
          .execute();
        await events.lock(tx, topicOf.account(id));
        const confirmed = { account_id: id, email_key, confirmed_at: clock.now() };
        await tx
          .insertInto("confirmed_addresses")
          .values(confirmed)
          .onConflict((conflicting) => conflicting.column("account_id").doUpdateSet(confirmed))
          .execute();
        await tx.deleteFrom("mail_opt_outs").where("account_id", "=", id).execute();
        await tx.deleteFrom("address_opt_outs").where("account_id", "=", id).where("email_key", "=", email_key).execute();
        await tx.deleteFrom("blocked_addresses").where("address_tag", "=", links.toAddressTag(email_key)).execute();
        await events.append(tx, topicOf.account(id), "notification_channels.changed", {});
        return { ...toView(account), confirmed: true };
      }),
  };
}
