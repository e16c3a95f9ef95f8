/** What a streaming copy is, beside where it is. */
import type { Migration } from "../portable.ts";

export const copyType: Migration = {
  name: "005-copy-type",
  async up(tx) {
    await tx.schema.alterTable("file_versions").addColumn("compressed_type", "text").execute();
  },
};
