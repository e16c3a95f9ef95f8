/** Reactions, mentions, who deleted a message, and the way from a moment to a message. */
import type { ColumnDefinitionBuilder } from "kysely";
import type { Migration } from "../portable.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const to = (target: string) => (column: ColumnDefinitionBuilder) => column.notNull().references(target);

export const chat: Migration = {
  name: "006-chat",
  async up(tx) {
    await tx.schema
      .alterTable("messages")
      .addColumn("deleted_by", "bigint", (column) => column.references("accounts.id"))
      .execute();
    await tx.schema.createIndex("messages_time").on("messages").columns(["project_id", "created_at"]).execute();

    await tx.schema
      .createTable("reactions")
      .addColumn("message_id", "bigint", to("messages.id"))
      .addColumn("emoji", "text", required)
      .addColumn("account_id", "bigint", to("accounts.id"))
      .addColumn("created_at", "bigint", required)
      .addPrimaryKeyConstraint("reactions_key", ["message_id", "emoji", "account_id"])
      .execute();

    // By reader first: the mentions that somebody has not read yet are counted for every project of theirs.
    await tx.schema
      .createTable("message_mentions")
      .addColumn("account_id", "bigint", to("accounts.id"))
      .addColumn("project_id", "bigint", to("projects.id"))
      .addColumn("message_id", "bigint", to("messages.id"))
      .addPrimaryKeyConstraint("message_mentions_key", ["account_id", "project_id", "message_id"])
      .execute();
    await tx.schema.createIndex("message_mentions_message").on("message_mentions").column("message_id").execute();
  },
};
