/** Creates the table of the teams' delivery rules. */
import { type Migration, notNull, requiredReference } from "./migration.ts";

export const deliveryRules: Migration = {
  name: "031-delivery-rules",
  async up(tx) {
    await tx.schema
      .createTable("delivery_rules")
      .addColumn("team_id", "bigint", (column) => column.primaryKey().references("teams.id"))
      .addColumn("rules", "text", notNull)
      .addColumn("updated_by", "bigint", requiredReference("accounts.id"))
      .addColumn("updated_at", "bigint", notNull)
      .execute();
  },
};
