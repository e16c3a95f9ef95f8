/** Marks accounts of agents, and creates the table of what each agent may do. */
import { type Migration, notNull, optionalReference, requiredReference, withDefault } from "./migration.ts";

export const agents: Migration = {
  name: "032-agents",
  async up(tx) {
    await tx.schema.alterTable("accounts").addColumn("is_agent", "integer", withDefault(0)).execute();
    await tx.schema
      .createTable("agents")
      .addColumn("account_id", "bigint", (column) => column.primaryKey().references("accounts.id"))
      .addColumn("scopes", "text", notNull)
      .addColumn("paused_at", "bigint")
      .addColumn("paused_by", "bigint", optionalReference("accounts.id"))
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .execute();
  },
};
