/** Adds reactions, mentions, who deleted a message, an index of messages by time, and the columns that link events to the messages whose text they hold. */
import { sql } from "kysely";
import { type Migration, notNull, requiredReference } from "./migration.ts";

export const chat: Migration = {
  name: "006-chat",
  async up(tx, engine) {
    await tx.schema
      .alterTable("messages")
      .addColumn("deleted_by", "bigint", (column) => column.references("accounts.id"))
      .execute();
    await tx.schema.createIndex("messages_time").on("messages").columns(["project_id", "created_at"]).execute();

    await tx.schema
      .createTable("reactions")
      .addColumn("message_id", "bigint", requiredReference("messages.id"))
      .addColumn("emoji", "text", notNull)
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addPrimaryKeyConstraint("reactions_key", ["message_id", "emoji", "account_id"])
      .execute();

    // The key begins with the reader, because a reader's unread mentions are counted for each of their projects.
    await tx.schema
      .createTable("message_mentions")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("message_id", "bigint", requiredReference("messages.id"))
      .addPrimaryKeyConstraint("message_mentions_key", ["account_id", "project_id", "message_id"])
      .execute();
    await tx.schema.createIndex("message_mentions_message").on("message_mentions").column("message_id").execute();

    // Deleted messages lose their text once they cannot be restored; this index holds those that still have it.
    await sql`create index messages_to_empty on messages (deleted_at) where deleted_at is not null and body <> ''`.execute(tx);

    await tx.schema.alterTable("events").addColumn("message_id", "bigint").execute();
    await tx.schema.alterTable("events").addColumn("quoted_id", "bigint").execute();
    const member = (name: string) => (engine === "postgres" ? sql`(data::json->>${sql.lit(name)})::bigint` : sql`json_extract(data, ${sql.lit(`$.${name}`)})`);
    await sql`update events set message_id = ${member("id")}, quoted_id = ${member("parent_message_id")}
      where type in ('message.created', 'message.updated')`.execute(tx);
    await sql`create index events_message on events (message_id) where message_id is not null`.execute(tx);
    await sql`create index events_quoted on events (quoted_id) where quoted_id is not null`.execute(tx);
  },
};
