/** Adds the most likely key of files whose key the analysis is not sure of, which lists show. Files get it when they are analyzed again. */
import type { Migration } from "./migration.ts";

export const unsureKeys: Migration = {
  name: "019-unsure-keys",
  async up(tx) {
    await tx.schema.alterTable("files").addColumn("unsure_key", "text").execute();
  },
};
