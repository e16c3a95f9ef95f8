/** Records which API token a webhook endpoint depends on, so that the endpoint ends with it. Endpoints from before belong to their creator alone. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const endpointTokens: Migration = {
  name: "018-endpoint-tokens",
  async up(tx) {
    await tx.schema.alterTable("webhook_endpoints").addColumn("token_id", "bigint").execute();
    await tx.schema.createIndex("webhook_endpoints_token").on("webhook_endpoints").column("token_id").where(sql.ref("token_id"), "is not", null).execute();
  },
};
