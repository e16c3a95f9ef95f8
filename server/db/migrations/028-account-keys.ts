/**
 * Lets somebody change their name or address on PostgreSQL while others create rows that refer to the account. A foreign key may refer to the columns of a unique
 * index without a condition, so changing these locks the row against such rows, and a transaction that notifies the person would deadlock with one that changes
 * their name.
 */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const accountKeys: Migration = {
  name: "028-account-keys",
  async up(tx, engine) {
    if (engine === "sqlite") return;
    await sql`alter table accounts drop constraint accounts_username_key_key`.execute(tx);
    await sql`create unique index accounts_username_key_key on accounts (username_key) where username_key is not null`.execute(tx);
    await sql`drop index accounts_email_key`.execute(tx);
    await sql`create unique index accounts_email_key on accounts (email_key, organisation_id) where email_key is not null`.execute(tx);
  },
};
