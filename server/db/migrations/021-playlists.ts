/** Creates playlists, and lets a message show one. */
import { createTableWithId } from "../engine-sql.ts";
import { notNull, optionalReference, requiredReference, withDefault, type Migration } from "./migration.ts";

export const playlists: Migration = {
  name: "021-playlists",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "playlists")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("name", "text", notNull)
      .addColumn("gap_ms", "integer", withDefault(0))
      .addColumn("revision", "integer", withDefault(1))
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("updated_at", "bigint", notNull)
      .addColumn("deleted_at", "bigint")
      .execute();
    await tx.schema.createIndex("playlists_project").on("playlists").columns(["project_id", "id"]).execute();
    await tx.schema.createIndex("playlists_deleted").on("playlists").column("deleted_at").where("deleted_at", "is not", null).execute();

    await createTableWithId(tx, engine, "playlist_items")
      .addColumn("playlist_id", "bigint", requiredReference("playlists.id"))
      .addColumn("position", "integer", notNull)
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("version_id", "bigint", optionalReference("file_versions.id"))
      .addColumn("added_by", "bigint", requiredReference("accounts.id"))
      .addColumn("added_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("playlist_items_position").on("playlist_items").columns(["playlist_id", "position"]).execute();
    await tx.schema.createIndex("playlist_items_file").on("playlist_items").column("file_id").execute();

    await tx.schema.alterTable("messages").addColumn("playlist_id", "bigint", optionalReference("playlists.id")).execute();
  },
};
