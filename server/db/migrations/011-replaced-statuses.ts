/** What took a deleted status's place, for files that come back with it. */
import type { Migration } from "../portable.ts";

export const replacedStatuses: Migration = {
  name: "011-replaced-statuses",
  async up(tx) {
    await tx.schema
      .alterTable("file_statuses")
      .addColumn("replaced_by", "bigint", (column) => column.references("file_statuses.id"))
      .execute();
  },
};
