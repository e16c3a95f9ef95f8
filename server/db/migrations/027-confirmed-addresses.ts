/** Creates the tables of confirmed, unsubscribed and blocked email addresses, and lets the queue hold confirmation emails. */
import { sql } from "kysely";
import { type Migration, notNull } from "./migration.ts";

export const confirmedAddresses: Migration = {
  name: "027-confirmed-addresses",
  async up(tx) {
    await tx.schema
      .createTable("confirmed_addresses")
      .addColumn("account_id", "bigint", (column) => column.primaryKey().references("accounts.id"))
      .addColumn("email_key", "text", notNull)
      .addColumn("confirmed_at", "bigint", notNull)
      .execute();
    await tx.schema
      .createTable("address_opt_outs")
      .addColumn("email_key", "text", notNull)
      .addColumn("account_id", "bigint", (column) => column.notNull().references("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addPrimaryKeyConstraint("address_opt_outs_key", ["email_key", "account_id"])
      .execute();
    // Earlier versions did not record who unsubscribed: as far as they know, a reader of the address did.
    await sql`insert into address_opt_outs (email_key, account_id, created_at)
      select accounts.email_key, accounts.id, mail_opt_outs.created_at from mail_opt_outs join accounts on accounts.id = mail_opt_outs.account_id`.execute(tx);
    await tx.schema
      .createTable("blocked_addresses")
      .addColumn("address_tag", "text", (column) => column.primaryKey())
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.alterTable("notification_deliveries").addColumn("confirms_email_key", "text").execute();
    for (const column of ["account_id", "confirms_email_key"])
      await sql`create index ${sql.ref(`notification_deliveries_confirmations_of_${column}`)} on notification_deliveries (${sql.ref(column)}, created_at) where confirms_email_key is not null`.execute(
        tx,
      );
  },
};
