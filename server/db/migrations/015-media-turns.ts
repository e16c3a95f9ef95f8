/** Adds the owners of jobs and their turns, and the quota reserved by uploads in one request. */
import { sql } from "kysely";
import { notNull, withDefault, type Migration } from "./migration.ts";

export const mediaTurns: Migration = {
  name: "015-media-turns",
  async up(tx) {
    await tx.schema.alterTable("jobs").addColumn("organisation_id", "bigint", withDefault(0)).execute();
    await tx.schema.alterTable("jobs").addColumn("account_id", "bigint", withDefault(0)).execute();
    await sql`update jobs set
      account_id = coalesce((select created_by from file_versions where file_versions.id = jobs.subject_id), 0),
      organisation_id = coalesce((select accounts.organisation_id from file_versions
        join accounts on accounts.id = file_versions.created_by where file_versions.id = jobs.subject_id), 0)
      where state in ('waiting', 'running')`.execute(tx);
    await tx.schema.createIndex("jobs_account").on("jobs").columns(["state", "account_id"]).execute();
    await tx.schema
      .createTable("job_turns")
      .addColumn("kind", "text", notNull)
      .addColumn("organisation_id", "bigint", notNull)
      .addColumn("account_id", "bigint", notNull)
      .addColumn("turn", "bigint", notNull)
      .addPrimaryKeyConstraint("job_turns_key", ["kind", "account_id"])
      .execute();

    await tx.schema
      .createTable("upload_reservations")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("organisation_id", "bigint", notNull)
      .addColumn("bytes", "bigint", notNull)
      .addColumn("expires_at", "bigint", notNull)
      .execute();
  },
};
