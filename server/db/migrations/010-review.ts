/** Creates comments and their read positions, and adds deletable statuses, default statuses and manual corrections of tempo and key. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, optionalReference, withDefault } from "./migration.ts";

export const review: Migration = {
  name: "010-review",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "comments")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("version", "integer", notNull)
      .addColumn("position_ms", "bigint")
      .addColumn("end_ms", "bigint")
      .addColumn("parent_id", "bigint", optionalReference("comments.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("body", "text", notNull)
      .addColumn("client_id", "text")
      .addColumn("request_hash", "text")
      .addColumn("revision", "integer", withDefault(1))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("edited_at", "bigint")
      .addColumn("resolved_at", "bigint")
      .addColumn("resolved_by", "bigint", optionalReference("accounts.id"))
      .addColumn("deleted_at", "bigint")
      .addColumn("deleted_by", "bigint", optionalReference("accounts.id"))
      .execute();
    // Covers the query for unread comments, which starts after the reader's read position.
    await sql`create index comments_file on comments (file_id, id, account_id, deleted_at)`.execute(tx);
    await sql`create index comments_project on comments (project_id, id)`.execute(tx);
    await sql`create index comments_parent on comments (parent_id) where parent_id is not null`.execute(tx);
    await sql`create unique index comments_client on comments (account_id, file_id, client_id) where client_id is not null`.execute(tx);
    // Deleted comments lose their text once they cannot be restored; this index holds those that still have it.
    await sql`create index comments_to_empty on comments (deleted_at) where deleted_at is not null and body <> ''`.execute(tx);

    await tx.schema
      .createTable("comment_reads")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("last_read_comment_id", "bigint", notNull)
      .addPrimaryKeyConstraint("comment_reads_key", ["account_id", "file_id"])
      .execute();
    await tx.schema.createIndex("comment_reads_file").on("comment_reads").column("file_id").execute();
    await tx.schema.alterTable("read_markers").addColumn("comments_since", "bigint", withDefault(0)).execute();

    // Not a foreign key, because a message may remain after its comment was removed.
    await tx.schema.alterTable("messages").addColumn("comment_id", "bigint").execute();
    await sql`create index messages_comment on messages (comment_id) where comment_id is not null`.execute(tx);
    await tx.schema.alterTable("events").addColumn("comment_id", "bigint").execute();
    await sql`create index events_comment on events (comment_id) where comment_id is not null`.execute(tx);

    await tx.schema.alterTable("file_statuses").addColumn("title_key", "text", withDefault("")).execute();
    await tx.schema.alterTable("file_statuses").addColumn("deleted_at", "bigint").execute();
    for (const { id, title } of await tx.selectFrom("file_statuses").select(["id", "title"]).execute())
      await tx
        .updateTable("file_statuses")
        .set({ title_key: title.normalize("NFKC").toLowerCase() })
        .where("id", "=", id)
        .execute();
    await sql`create unique index file_statuses_title on file_statuses (team_id, title_key) where deleted_at is null`.execute(tx);
    await sql`create index files_status on files (status_id) where status_id is not null`.execute(tx);
    await tx.schema.alterTable("teams").addColumn("default_status_id", "bigint", optionalReference("file_statuses.id")).execute();

    await tx.schema
      .alterTable("files")
      .addColumn("corrected_bpm", sql`double precision`)
      .execute();
    await tx.schema.alterTable("files").addColumn("corrected_key", "text").execute();
  },
};
