/** Creates files and folders, versions with their processing results, status changes, attachments, uploads, the job queue and webhook events. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, optionalReference, withDefault } from "./migration.ts";

export const files: Migration = {
  name: "002-files",
  async up(tx, engine) {
    const table = (name: string) => createTableWithId(tx, engine, name);

    await tx.schema
      .createTable("blobs")
      .addColumn("key", "text", (column) => column.primaryKey().notNull())
      .addColumn("organisation_id", "bigint", notNull)
      .addColumn("size", "bigint", notNull)
      .addColumn("sha256", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("deleted_at", "bigint")
      .execute();
    await tx.schema.createIndex("blobs_deleted").on("blobs").column("deleted_at").execute();
    await tx.schema.createIndex("blobs_organisation").on("blobs").column("organisation_id").execute();

    await table("files")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("parent_id", "bigint", optionalReference("files.id"))
      .addColumn("is_folder", "integer", notNull)
      .addColumn("name", "text", notNull)
      .addColumn("name_key", "text", notNull)
      .addColumn("removal_protection", "integer", withDefault(0))
      .addColumn("task_load_protection", "integer", withDefault(0))
      .addColumn("status_id", "bigint", optionalReference("file_statuses.id"))
      .addColumn("version_id", "bigint")
      .addColumn("revision", "integer", withDefault(1))
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("deleted_at", "bigint")
      .addColumn("deleted_by", "bigint")
      .execute();
    // Names are unique among the entries of a folder that are not deleted.
    await tx.schema.createIndex("files_name").on("files").columns(["parent_id", "name_key"]).unique().where(sql.ref("deleted_at"), "is", null).execute();
    await tx.schema.createIndex("files_deleted").on("files").column("deleted_at").where(sql.ref("deleted_at"), "is not", null).execute();
    await tx.schema.createIndex("files_project").on("files").columns(["project_id", "id"]).execute();

    await table("file_versions")
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("number", "integer", notNull)
      .addColumn("blob_key", "text", requiredReference("blobs.key"))
      .addColumn("size", "bigint", notNull)
      .addColumn("kind", "text", withDefault("document"))
      .addColumn("media_type", "text", withDefault("application/octet-stream"))
      .addColumn("transcoding_status", "text", withDefault("waiting"))
      .addColumn("failure", "text")
      .addColumn("steps_done", "text", withDefault("[]"))
      .addColumn("duration", sql`double precision`)
      .addColumn("probe", "text")
      .addColumn("loudness", "text")
      .addColumn("tags", "text")
      .addColumn("wave", "text")
      .addColumn("short_wave", "text")
      .addColumn("peaks", "text")
      .addColumn("compressed_key", "text")
      .addColumn("still_key", "text")
      .addColumn("thumbnail_key", "text")
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addUniqueConstraint("file_versions_number", ["file_id", "number"])
      .execute();

    await table("status_changes")
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("old_status_id", "bigint")
      .addColumn("new_status_id", "bigint", notNull)
      .addColumn("note", "text", withDefault(""))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("status_changes_file").on("status_changes").columns(["file_id", "id"]).execute();

    await tx.schema
      .createTable("attachments")
      .addColumn("message_id", "bigint", requiredReference("messages.id"))
      .addColumn("position", "integer", notNull)
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("version_id", "bigint", requiredReference("file_versions.id"))
      .addPrimaryKeyConstraint("attachments_key", ["message_id", "position"])
      .execute();
    await tx.schema.createIndex("attachments_file").on("attachments").column("file_id").execute();

    await table("jobs")
      .addColumn("kind", "text", notNull)
      .addColumn("subject_id", "bigint", notNull)
      .addColumn("state", "text", withDefault("waiting"))
      .addColumn("attempts", "integer", withDefault(0))
      .addColumn("run_at", "bigint", notNull)
      .addColumn("lease_until", "bigint")
      .addColumn("lease_token", "text")
      .addColumn("failure", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("done_at", "bigint")
      .execute();
    await tx.schema.createIndex("jobs_due").on("jobs").columns(["state", "run_at"]).execute();
    await tx.schema.createIndex("jobs_subject").on("jobs").columns(["kind", "subject_id"]).execute();

    // Resumable uploads in progress. `file_id` is set once the upload is complete and its file exists.
    await tx.schema
      .createTable("uploads")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("destination", "text", notNull)
      .addColumn("size", "bigint", notNull)
      .addColumn("file_id", "bigint")
      .addColumn("version", "integer")
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("uploads_account").on("uploads").column("account_id").execute();

    // Webhook events, written in the transaction of the change and delivered later.
    await tx.schema
      .createTable("outbound_events")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("organisation_id", "bigint", notNull)
      .addColumn("type", "text", notNull)
      .addColumn("data", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("outbound_events_organisation").on("outbound_events").columns(["organisation_id", "created_at"]).execute();

    // Creates the root folder of projects that have none.
    const projects = await tx.selectFrom("projects").select(["id", "name", "created_by", "created_at"]).where("root_folder_id", "is", null).execute();
    for (const project of projects) {
      const root = await tx
        .insertInto("files")
        .values({
          project_id: project.id,
          parent_id: null,
          is_folder: 1,
          name: project.name,
          name_key: "",
          created_by: project.created_by,
          created_at: project.created_at,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx.updateTable("projects").set({ root_folder_id: root.id }).where("id", "=", project.id).execute();
    }
  },
};
