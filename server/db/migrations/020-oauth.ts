/**
 * Creates the tables of the OAuth authorization server. A grant is a row of `api_tokens` with a client, so that everything that depends on a token, and ends
 * with it, depends on a grant alike (decision 042).
 */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { notNull, optionalReference, requiredReference, type Migration } from "./migration.ts";

export const oauth: Migration = {
  name: "020-oauth",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "oauth_clients")
      .addColumn("public_id", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", notNull)
      .addColumn("redirect_uris", "text", notNull)
      .addColumn("grant_types", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("oauth_clients_created").on("oauth_clients").column("created_at").execute();

    await tx.schema.alterTable("api_tokens").addColumn("client_id", "bigint", optionalReference("oauth_clients.id")).execute();
    await tx.schema.alterTable("api_tokens").addColumn("parent_token_id", "bigint").execute();
    for (const column of ["client_id", "parent_token_id"])
      await tx.schema.createIndex(`api_tokens_${column}`).on("api_tokens").column(column).where(sql.ref(column), "is not", null).execute();

    await createTableWithId(tx, engine, "oauth_codes")
      .addColumn("code_hash", "text", (column) => column.notNull().unique())
      .addColumn("grant_id", "bigint", requiredReference("api_tokens.id"))
      .addColumn("redirect_uri", "text", notNull)
      .addColumn("code_challenge", "text", notNull)
      .addColumn("resource", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("expires_at", "bigint", notNull)
      .addColumn("used_at", "bigint")
      .execute();
    await tx.schema.createIndex("oauth_codes_grant").on("oauth_codes").column("grant_id").execute();
    await createTableWithId(tx, engine, "oauth_tokens")
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("grant_id", "bigint", requiredReference("api_tokens.id"))
      .addColumn("kind", "text", notNull)
      .addColumn("scopes", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("expires_at", "bigint", notNull)
      .addColumn("used_at", "bigint")
      .execute();
    for (const column of ["grant_id", "expires_at"]) await tx.schema.createIndex(`oauth_tokens_${column}`).on("oauth_tokens").column(column).execute();
    await tx.schema.alterTable("live_tickets").addColumn("access_token_id", "bigint").execute();
  },
};
