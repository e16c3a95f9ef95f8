/** Creates the tables that send notifications as push messages and emails. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, withDefault } from "./migration.ts";

export const notificationDelivery: Migration = {
  name: "024-notification-delivery",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "push_subscriptions")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("session_id", "bigint", (column) => column.notNull().unique().references("sessions.id").onDelete("cascade"))
      .addColumn("endpoint_hash", "text", (column) => column.notNull().unique())
      .addColumn("target", "text", notNull)
      .addColumn("failing_since", "bigint")
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("push_subscriptions_account").on("push_subscriptions").column("account_id").execute();
    await tx.schema
      .createTable("mail_opt_outs")
      .addColumn("account_id", "bigint", (column) => column.primaryKey().references("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .execute();

    // A delivery does not reference its subscription, so that signing out never waits for a change that creates notifications.
    await createTableWithId(tx, engine, "notification_deliveries")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("channel", "text", notNull)
      .addColumn("subscription_id", "bigint")
      .addColumn("is_test", "integer", notNull)
      .addColumn("is_digest", "integer", notNull)
      .addColumn("state", "text", notNull)
      .addColumn("step", "integer", withDefault(0))
      .addColumn("attempts", "integer", withDefault(0))
      .addColumn("next_attempt_at", "bigint")
      .addColumn("lease_until", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("outcome", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("done_at", "bigint")
      .execute();
    await sql`create index notification_deliveries_due on notification_deliveries (channel, next_attempt_at) where next_attempt_at is not null and lease_until is null`.execute(
      tx,
    );
    await sql`create index notification_deliveries_leases on notification_deliveries (channel, lease_until) where lease_until is not null`.execute(tx);
    await sql`create index notification_deliveries_collecting on notification_deliveries (account_id, channel) where next_attempt_at is not null and attempts = 0`.execute(
      tx,
    );
    await tx.schema.createIndex("notification_deliveries_created").on("notification_deliveries").column("created_at").execute();
    await tx.schema
      .createTable("notification_delivery_items")
      .addColumn("delivery_id", "bigint", (column) => column.notNull().references("notification_deliveries.id").onDelete("cascade"))
      .addColumn("notification_id", "bigint", (column) => column.notNull().references("notifications.id").onDelete("cascade"))
      .addPrimaryKeyConstraint("notification_delivery_items_key", ["delivery_id", "notification_id"])
      .execute();
    await tx.schema.createIndex("notification_delivery_items_notification").on("notification_delivery_items").column("notification_id").execute();
  },
};
