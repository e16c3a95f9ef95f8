/** Adds the replacement of a deleted status, for files that are restored with that status. */
import type { Migration } from "./migration.ts";

export const replacedStatuses: Migration = {
  name: "011-replaced-statuses",
  async up(tx) {
    await tx.schema
      .alterTable("file_statuses")
      .addColumn("replaced_by", "bigint", (column) => column.references("file_statuses.id"))
      .execute();
  },
};
