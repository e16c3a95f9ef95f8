/** Adds the media type of the streaming copy. */
import type { Migration } from "./migration.ts";

export const copyType: Migration = {
  name: "005-copy-type",
  async up(tx) {
    await tx.schema.alterTable("file_versions").addColumn("compressed_type", "text").execute();
    // Existing copies are of one of two types, depending on the kind of file.
    await tx
      .updateTable("file_versions")
      .set((eb) => ({ compressed_type: eb.case().when("kind", "=", "video").then("video/mp4").else("audio/mp4").end() }))
      .where("compressed_key", "is not", null)
      .execute();
  },
};
