/** Records which account, session or token created an invite or reset link, so that the link ends with it, and counts the resets that end signed URLs. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";
import { optionalReference, withDefault } from "./migration.ts";

export const linkCreators: Migration = {
  name: "012-link-creators",
  async up(tx) {
    await tx.schema.alterTable("invites").addColumn("created_session_id", "bigint").execute();
    await tx.schema.alterTable("invites").addColumn("created_token_id", "bigint").execute();
    await tx.schema.alterTable("password_resets").addColumn("created_by", "bigint", optionalReference("accounts.id")).execute();
    await tx.schema.alterTable("password_resets").addColumn("created_session_id", "bigint").execute();
    await tx.schema.alterTable("password_resets").addColumn("revoked_at", "bigint").execute();
    // The creator of an earlier reset link is unknown, so nothing could end it; such links would work for one more day.
    await tx
      .updateTable("password_resets")
      .set({ revoked_at: sql`created_at` })
      .where("used_at", "is", null)
      .execute();
    for (const table of ["invites", "password_resets"]) await tx.schema.createIndex(`${table}_creator`).on(table).column("created_by").execute();
    await tx.schema.alterTable("accounts").addColumn("signed_url_generation", "integer", withDefault(0)).execute();
  },
};
