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
    .select([
      "accounts.id",
      "accounts.username",
      "accounts.email",
      "accounts.email_key",
      "accounts.disabled_at",
      "organisations.name as organisation",
      "mail_opt_outs.created_at as opted_out_at",
      "confirmed_addresses.confirmed_at",
      "address_opt_outs.created_at as opted_out_by_link_at",
    ]);
export type MailAccount = Awaited<ReturnType<ReturnType<typeof queryMailAccounts>["executeTakeFirstOrThrow"]>>;

/** Unsubscribing by a link ends the confirmation: the account holder alone cannot subscribe again. */
export const isConfirmed = ({ confirmed_at, opted_out_by_link_at }: MailAccount): boolean => confirmed_at !== null && opted_out_by_link_at === null;
export const isSubscribed = ({ opted_out_at, opted_out_by_link_at }: MailAccount): boolean => opted_out_at === null && opted_out_by_link_at === null;

/** Returns those of the accounts whose notifications may be sent as emails. */
export async function findMailable(db: Db, accountIds: readonly number[]): Promise<Set<number>> {
  if (accountIds.length === 0) return new Set();
  const accounts = await queryMailAccounts(db).where("accounts.id", "in", padIds(accountIds)).execute();
  return new Set(accounts.filter((account) => isConfirmed(account) && isSubscribed(account)).map(({ id }) => id));
}

/** Returns whether somebody who had not confirmed the address unsubscribed it by the link in a confirmation email to any account. It gets no more of them. */
export async function isBlocked(db: Db, emailKey: string): Promise<boolean> {
  const row = await db
    .selectFrom("address_opt_outs")
    .leftJoin("confirmed_addresses", (join) =>
      join
        .onRef("confirmed_addresses.account_id", "=", "address_opt_outs.account_id")
        .onRef("confirmed_addresses.email_key", "=", "address_opt_outs.email_key"),
    )
    .select("address_opt_outs.account_id")
    .where("address_opt_outs.email_key", "=", emailKey)
    .where("confirmed_addresses.account_id", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
