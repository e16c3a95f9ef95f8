/** Creates the table for the progress of an organization's demo. */
import type { Migration } from "./migration.ts";

export const demo: Migration = {
  name: "009-demo",
  async up(tx) {
    await tx.schema
      .createTable("demos")
      .addColumn("organisation_id", "bigint", (column) => column.primaryKey().references("organisations.id"))
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("began_at", "bigint", (column) => column.notNull())
      .addColumn("step", "text", (column) => column.notNull())
      .addColumn("progress", "integer", (column) => column.notNull())
      .addColumn("failure", "text")
      .addColumn("made", "text", (column) => column.notNull())
      .addColumn("project_id", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("lease_until", "bigint")
      .execute();
  },
};
