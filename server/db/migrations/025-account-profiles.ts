/**
 * Adds time zone, locale, working hours and pictures to accounts. A picture that was replaced or removed stays in its table until its bytes are deleted.
 */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { notNull, requiredReference, type Migration } from "./migration.ts";

export const accountProfiles: Migration = {
  name: "025-account-profiles",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "avatars")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("small_key", "text", notNull)
      .addColumn("medium_key", "text", notNull)
      .addColumn("large_key", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("replaced_at", "bigint")
      .execute();
    await tx.schema.createIndex("avatars_account").on("avatars").column("account_id").execute();
    await tx.schema.createIndex("avatars_replaced").on("avatars").column("replaced_at").where(sql.ref("replaced_at"), "is not", null).execute();
    for (const column of ["time_zone", "locale", "working_hours"]) await tx.schema.alterTable("accounts").addColumn(column, "text").execute();
    await tx.schema.alterTable("accounts").addColumn("avatar_id", "bigint").execute();
  },
};
