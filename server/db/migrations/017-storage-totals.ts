/** Adds the stored bytes of each organization and the index of waiting jobs, and reserves quota for unfinished resumable uploads. */
import { sql } from "kysely";
import { notNull, type Migration } from "./migration.ts";

/** How long a resumable upload can be continued; must not change here. */
const RESUMABLE_MS = 3 * 24 * 60 * 60 * 1_000;

export const storageTotals: Migration = {
  name: "017-storage-totals",
  async up(tx) {
    await tx.schema
      .createTable("stored_bytes")
      .addColumn("organisation_id", "bigint", (column) => column.primaryKey().notNull())
      .addColumn("bytes", "bigint", notNull)
      .execute();
    await sql`insert into stored_bytes (organisation_id, bytes)
      select organisation_id, sum(size) from blobs where deleted_at is null group by organisation_id`.execute(tx);

    await tx.schema.createIndex("upload_reservations_organisation").on("upload_reservations").column("organisation_id").execute();
    // What has arrived is not known here, so the declared size is reserved until the upload goes on.
    await sql`insert into upload_reservations (id, organisation_id, bytes, expires_at)
      select uploads.id, accounts.organisation_id, uploads.size, uploads.created_at + ${sql.lit(RESUMABLE_MS)}
      from uploads join accounts on accounts.id = uploads.account_id where uploads.file_id is null`.execute(tx);

    await tx.schema.createIndex("jobs_waiting").on("jobs").columns(["kind", "state", "account_id", "run_at", "id"]).execute();
    await tx.schema.dropIndex("jobs_due").execute();
  },
};
