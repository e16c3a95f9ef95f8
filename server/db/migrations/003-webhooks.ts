/** Creates webhook endpoints, deliveries and delivery attempts. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, withDefault } from "./migration.ts";

export const webhooks: Migration = {
  name: "003-webhooks",
  async up(tx, engine) {
    const table = (name: string) => createTableWithId(tx, engine, name);

    await table("webhook_endpoints")
      .addColumn("organisation_id", "bigint", requiredReference("organisations.id"))
      .addColumn("url", "text", notNull)
      .addColumn("event_types", "text", notNull)
      .addColumn("description", "text", withDefault(""))
      .addColumn("enabled", "integer", notNull)
      .addColumn("secret", "text", notNull)
      .addColumn("previous_secrets", "text", withDefault("[]"))
      .addColumn("failing_since", "bigint")
      .addColumn("not_before", "bigint")
      .addColumn("disabled_reason", "text")
      .addColumn("disabled_at", "bigint")
      .addColumn("disabled_by", "bigint")
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("updated_at", "bigint", notNull)
      .addColumn("deleted_at", "bigint")
      .execute();
    await tx.schema.createIndex("webhook_endpoints_organisation").on("webhook_endpoints").column("organisation_id").execute();

    await table("deliveries")
      .addColumn("endpoint_id", "bigint", requiredReference("webhook_endpoints.id"))
      .addColumn("event_id", "text", requiredReference("outbound_events.id"))
      .addColumn("event_type", "text", notNull)
      .addColumn("is_test", "integer", withDefault(0))
      .addColumn("by_hand", "integer", withDefault(0))
      .addColumn("state", "text", notNull)
      .addColumn("step", "integer", withDefault(0))
      .addColumn("attempts", "integer", withDefault(0))
      .addColumn("next_attempt_at", "bigint")
      .addColumn("lease_until", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("done_at", "bigint")
      .execute();
    // Covers the counts of an endpoint's chart, so that they read no rows.
    await tx.schema.createIndex("deliveries_state").on("deliveries").columns(["endpoint_id", "state", "created_at", "id", "is_test"]).execute();
    // For a log filtered by event type, which may match a few of thousands of deliveries.
    await tx.schema.createIndex("deliveries_type").on("deliveries").columns(["endpoint_id", "event_type", "created_at", "id"]).execute();
    // Created after those two, because among indexes that seem equal SQLite picks the oldest.
    await tx.schema.createIndex("deliveries_endpoint").on("deliveries").columns(["endpoint_id", "created_at", "id"]).execute();
    await tx.schema
      .createIndex("deliveries_delivered")
      .on("deliveries")
      .columns(["endpoint_id", "done_at"])
      .where(sql.ref("state"), "=", sql.lit("delivered"))
      .execute();
    // Begins with the endpoint, so that an endpoint with ten thousand due deliveries takes no longer to find than one with a single one.
    await tx.schema
      .createIndex("deliveries_due")
      .on("deliveries")
      .columns(["endpoint_id", "next_attempt_at"])
      .where(sql.ref("next_attempt_at"), "is not", null)
      .execute();
    await tx.schema
      .createIndex("deliveries_by_hand")
      .on("deliveries")
      .columns(["endpoint_id", "next_attempt_at"])
      .where(sql.ref("by_hand"), "=", sql.lit(1))
      .where(sql.ref("next_attempt_at"), "is not", null)
      .execute();
    await tx.schema.createIndex("deliveries_leased").on("deliveries").column("endpoint_id").where(sql.ref("lease_until"), "is not", null).execute();
    await tx.schema.createIndex("deliveries_event").on("deliveries").column("event_id").execute();
    await tx.schema.createIndex("deliveries_created").on("deliveries").column("created_at").execute();

    await tx.schema.createIndex("outbound_events_created").on("outbound_events").column("created_at").execute();

    await table("delivery_attempts")
      .addColumn("delivery_id", "bigint", requiredReference("deliveries.id"))
      .addColumn("number", "integer", notNull)
      .addColumn("started_at", "bigint", notNull)
      .addColumn("duration", "integer", notNull)
      .addColumn("outcome", "text", notNull)
      .addColumn("status", "integer")
      .addColumn("request_headers", "text", notNull)
      .addColumn("response_headers", "text")
      .addColumn("response_body", "text")
      .addUniqueConstraint("delivery_attempts_number", ["delivery_id", "number"])
      .execute();
  },
};
