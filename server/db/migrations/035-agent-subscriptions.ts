/** Adds event subscriptions of agents: webhook endpoints of their own kind, how far each has read a project's events, and who caused an event. */
import { type Migration, notNull, optionalReference, requiredReference } from "./migration.ts";

export const agentSubscriptions: Migration = {
  name: "035-agent-subscriptions",
  async up(tx) {
    await tx.schema.alterTable("webhook_endpoints").addColumn("agent_id", "bigint", optionalReference("accounts.id")).execute();
    await tx.schema.alterTable("webhook_endpoints").addColumn("project_ids", "text").execute();
    await tx.schema.createIndex("webhook_endpoints_agent").on("webhook_endpoints").column("agent_id").where("agent_id", "is not", null).execute();
    await tx.schema
      .createTable("agent_subscription_cursors")
      .addColumn("endpoint_id", "bigint", requiredReference("webhook_endpoints.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("topic", "text", notNull)
      .addColumn("seq", "bigint", notNull)
      .addPrimaryKeyConstraint("agent_subscription_cursors_key", ["endpoint_id", "project_id"])
      .execute();
    await tx.schema.alterTable("events").addColumn("account_id", "bigint").execute();
    for (const column of ["project_id", "message_id", "quoted_id", "comment_id"]) {
      await tx.schema.alterTable("outbound_events").addColumn(column, "bigint").execute();
      if (column === "project_id") continue;
      await tx.schema.createIndex(`outbound_events_${column}`).on("outbound_events").column(column).where(column, "is not", null).execute();
    }
  },
};
