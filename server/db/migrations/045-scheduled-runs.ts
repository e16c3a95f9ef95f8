/** Records when a scheduled job last started, so that of several processes one runs it. */
import { notNull, type Migration } from "./migration.ts";

export const scheduledRuns: Migration = {
  name: "045-scheduled-runs",
  async up(tx) {
    await tx.schema
      .createTable("scheduled_runs")
      .addColumn("name", "text", (column) => column.primaryKey().notNull())
      .addColumn("started_at", "bigint", notNull)
      .execute();
  },
};
