/** What a streaming copy is, beside where it is. */
import type { Migration } from "../portable.ts";

export const copyType: Migration = {
  name: "005-copy-type",
  async up(tx) {
    await tx.schema.alterTable("file_versions").addColumn("compressed_type", "text").execute();
    // Until now a copy was one of two things.
    await tx
      .updateTable("file_versions")
      .set((eb) => ({ compressed_type: eb.case().when("kind", "=", "video").then("video/mp4").else("audio/mp4").end() }))
      .where("compressed_key", "is not", null)
      .execute();
  },
};
