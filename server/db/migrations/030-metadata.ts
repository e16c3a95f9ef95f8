/** Creates metadata templates, their fields, and the values of files, with the columns by which files are filtered and sorted. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { notNull, optionalReference, requiredReference, withDefault, type Migration } from "./migration.ts";

export const metadata: Migration = {
  name: "030-metadata",
  async up(tx, engine) {
    // Columns with this type are compared by their bytes on both engines.
    const orderedText = engine === "postgres" ? sql`text collate "C"` : sql`text`;
    await createTableWithId(tx, engine, "metadata_templates")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("name", "text", notNull)
      .addColumn("name_key", "text", notNull)
      .addColumn("kinds", "text")
      .addColumn("position", "integer", notNull)
      .addColumn("revision", "integer", withDefault(1))
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("deleted_at", "bigint")
      .execute();
    await sql`create unique index metadata_templates_name on metadata_templates (team_id, name_key) where deleted_at is null`.execute(tx);
    await sql`create index metadata_templates_deleted on metadata_templates (deleted_at) where deleted_at is not null`.execute(tx);

    await createTableWithId(tx, engine, "metadata_fields")
      .addColumn("template_id", "bigint", requiredReference("metadata_templates.id"))
      .addColumn("name", "text", notNull)
      .addColumn("name_key", "text", notNull)
      .addColumn("type", "text", notNull)
      .addColumn("options", "text", withDefault("[]"))
      .addColumn("help", "text", withDefault(""))
      .addColumn("tag", "text")
      .addColumn("position", "integer", notNull)
      .addColumn("deleted_at", "bigint")
      .execute();
    await sql`create unique index metadata_fields_name on metadata_fields (template_id, name_key) where deleted_at is null`.execute(tx);
    await sql`create index metadata_fields_deleted on metadata_fields (deleted_at) where deleted_at is not null`.execute(tx);

    await tx.schema
      .createTable("metadata_values")
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("field_id", "bigint", requiredReference("metadata_fields.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("value", "text", notNull)
      .addColumn("match_text", "text", notNull)
      .addColumn("sort_number", sql`double precision`, notNull)
      .addColumn("sort_text", orderedText, notNull)
      .addColumn("person_id", "bigint", optionalReference("accounts.id"))
      .addColumn("updated_by", "bigint", requiredReference("accounts.id"))
      .addColumn("updated_at", "bigint", notNull)
      .addPrimaryKeyConstraint("metadata_values_key", ["file_id", "field_id"])
      .execute();
    await tx.schema
      .createIndex("metadata_values_order")
      .on("metadata_values")
      .columns(["field_id", "project_id", "sort_number", "sort_text", "file_id"])
      .execute();
    await sql`create index metadata_values_person on metadata_values (person_id) where person_id is not null`.execute(tx);
    await tx.schema.alterTable("files").addColumn("metadata_revision", "integer", withDefault(0)).execute();
  },
};
