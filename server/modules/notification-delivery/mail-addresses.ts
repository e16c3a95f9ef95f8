/** Decides which addresses get emails: those that their owner has confirmed, until they unsubscribe. */
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";

/** How long the link in a confirmation email works. */
export const CONFIRMATION_VALID_MS = 3 * DAY;

/** Accounts with the state of their current address. */
export const queryMailAccounts = (db: Db) =>
  db
    .selectFrom("accounts")
    .innerJoin("organisations", "organisations.id", "accounts.organisation_id")
    .leftJoin("mail_opt_outs", "mail_opt_outs.account_id", "accounts.id")
    .leftJoin("confirmed_addresses", (join) =>
      join.onRef("confirmed_addresses.account_id", "=", "accounts.id").onRef("confirmed_addresses.email_key", "=", "accounts.email_key"),
    )
    .leftJoin("address_opt_outs", (join) =>
      join.onRef("address_opt_outs.account_id", "=", "accounts.id").onRef("address_opt_outs.email_key", "=", "accounts.email_key"),
    )
    .select(({ selectFrom }) => [
      "accounts.id",
      "accounts.organisation_id",
      "accounts.username",
      "accounts.email",
      "accounts.email_key",
      "accounts.disabled_at",
      "organisations.name as organisation",
      "mail_opt_outs.created_at as opted_out_at",
      "confirmed_addresses.confirmed_at",
      "address_opt_outs.created_at as opted_out_by_link_at",
      selectFrom("notification_deliveries")
        .select(({ fn }) => fn.max("notification_deliveries.created_at").as("newest"))
        .whereRef("notification_deliveries.account_id", "=", "accounts.id")
        .whereRef("notification_deliveries.confirms_email_key", "=", "accounts.email_key")
        .where("notification_deliveries.state", "in", ["pending", "sent"])
        .as("confirmation_sent_at"),
    ]);
export type MailAccount = Awaited<ReturnType<ReturnType<typeof queryMailAccounts>["executeTakeFirstOrThrow"]>>;

/** Unsubscribing by a link ends the confirmation: the account holder alone cannot subscribe again. */
export const isConfirmed = ({ confirmed_at, opted_out_by_link_at }: MailAccount): boolean => confirmed_at !== null && opted_out_by_link_at === null;
export const isSubscribed = ({ opted_out_at, opted_out_by_link_at }: MailAccount): boolean => opted_out_at === null && opted_out_by_link_at === null;

/**
 * Returns those of the accounts whose notifications may be sent as emails, with the time until which they wait: null for a confirmed address, else the end
 * of the link that can still confirm it. Without one they are not sent.
 */
export async function findMailable(db: Db, accountIds: readonly number[], now: number): Promise<Map<number, number | null>> {
  if (accountIds.length === 0) return new Map();
  const accounts = await queryMailAccounts(db).where("accounts.id", "in", padIds(accountIds)).execute();
  const waitsUntil = (account: MailAccount) => (isConfirmed(account) ? null : (account.confirmation_sent_at ?? -Infinity) + CONFIRMATION_VALID_MS);
  return new Map(
    accounts
      .filter(isSubscribed)
      .map((account) => [account.id, waitsUntil(account)] as const)
      .filter(([, until]) => until === null || until > now),
  );
}

/** Returns whether a reader of the address asked for no more confirmation emails, by the link in one to any account. */
export async function isBlocked(db: Db, addressTag: string): Promise<boolean> {
  return (await db.selectFrom("blocked_addresses").select("address_tag").where("address_tag", "=", addressTag).executeTakeFirst()) !== undefined;
}
