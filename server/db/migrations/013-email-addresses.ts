/** Makes email addresses unique within an organization instead of over all, and indexes them for signing in. */
import { dropUniqueConstraint } from "../engine-sql.ts";
import type { Migration } from "./migration.ts";

export const emailAddresses: Migration = {
  name: "013-email-addresses",
  async up(tx, engine) {
    await dropUniqueConstraint(tx, engine, "accounts", "email_key");
    await tx.schema.createIndex("accounts_email_key").on("accounts").columns(["email_key", "organisation_id"]).unique().execute();
  },
};
