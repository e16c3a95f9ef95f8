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

/** Returns what stands between the current address of an account and its emails. */
export async function loadAddressStatus(db: Db, account: MailAccount, now: number): Promise<MailSettings["address_status"]> {
  if (isConfirmed(account)) return "confirmed";
  if (await isBlocked(db, account.email_key)) return "blocked";
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

  /** Returns when the account or the address may get the next email, if it has had as many as a day allows. */
  async function findLimitedUntil(tx: Tx, column: "account_id" | "confirms_email_key", value: number | string): Promise<number | null> {
    const oldest = await tx
      .selectFrom("notification_deliveries")
      .select("created_at")
      .where("confirms_email_key", "is not", null)
      .where(column, "=", value)
      .where("created_at", ">", clock.now() - DAY)
      .orderBy("created_at", "desc")
      .offset(MAX_PER_DAY - 1)
      .limit(1)
      .executeTakeFirst();
    return oldest ? oldest.created_at + DAY : null;
  }

  async function findError(tx: Tx, { id, email_key, ...account }: MailAccount): Promise<HttpError | null> {
    if (!mail) return conflict("This service sends no emails.");
    if (isConfirmed({ id, email_key, ...account })) return conflict("This email address is confirmed already.");
    if (await isBlocked(tx, email_key))
      return conflict(
        "Whoever reads this email address asked for no more emails. Change the address in your profile, or use the link in the email to undo that.",
      );
    const until = Math.max((await findLimitedUntil(tx, "account_id", id)) ?? 0, (await findLimitedUntil(tx, "confirms_email_key", email_key)) ?? 0);
    if (until === 0) return null;
    const hours = Math.ceil((until - clock.now()) / HOUR);
    const text = `At most ${MAX_PER_DAY} confirmation emails a day are sent. Try again in ${hours === 1 ? "an hour" : `${hours} hours`}.`;
    return new HttpError(429, text, { retryAfter: Math.ceil((until - clock.now()) / SECOND) });
  }

  /** Queues the email unless something prevents it, which is returned. The caller holds the lock on the account's topic, or has just created the account. */
  async function enqueue(tx: Tx, accountId: number): Promise<HttpError | null> {
    const account = await queryMailAccounts(tx).where("accounts.id", "=", accountId).executeTakeFirstOrThrow();
    await acquireAdvisoryLock(tx, database.engine, `confirmation ${account.email_key}`);
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
    const link = links.read(token);
    const account = link && (await queryMailAccounts(db).where("accounts.id", "=", link.accountId).executeTakeFirst());
    if (!link || !account) throw new HttpError(404, "This link is invalid.");
    if (!link.isFor(account)) throw conflict("The account has another email address by now.");
    if (link.expiresAt <= clock.now() && !isConfirmed(account)) throw new HttpError(410, "This link has expired.");
    return account;
  }

  return {
    /** Sends the email to an account that has just been created. */
    async onAccountCreated(tx: Tx, accountId: number): Promise<void> {
      if (mail) await enqueue(tx, accountId);
    },

    /** Sends the email to the new address, unless the person wants none. */
    async onEmailChanged(tx: Tx, accountId: number): Promise<void> {
      if (!mail) return;
      await events.lock(tx, topicOf.account(accountId));
      const optOut = await tx.selectFrom("mail_opt_outs").select("account_id").where("account_id", "=", accountId).executeTakeFirst();
      if (!optOut) await enqueue(tx, accountId);
      await events.append(tx, topicOf.account(accountId), "notification_channels.changed", {});
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
        const confirmed = { account_id: id, email_key, confirmed_at: clock.now() };
        await tx
          .insertInto("confirmed_addresses")
          .values(confirmed)
          .onConflict((conflicting) => conflicting.column("account_id").doUpdateSet(confirmed))
          .execute();
        await tx.deleteFrom("mail_opt_outs").where("account_id", "=", id).execute();
        await tx.deleteFrom("address_opt_outs").where("account_id", "=", id).where("email_key", "=", email_key).execute();
        await events.append(tx, topicOf.account(id), "notification_channels.changed", {});
        return { ...toView(account), confirmed: true };
      }),
  };
}
