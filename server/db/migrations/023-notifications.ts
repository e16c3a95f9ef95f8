/** Creates notifications, their settings, and the watchers of files: those who have uploaded a version or written a comment. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, optionalReference, requiredReference, withDefault } from "./migration.ts";

export const notifications: Migration = {
  name: "023-notifications",
  async up(tx, engine) {
    // Comments, tasks and endpoints are deleted, so that references to them are none: a notification without its subject is not shown.
    await createTableWithId(tx, engine, "notifications")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("kind", "text", notNull)
      .addColumn("dedupe_key", "text", notNull)
      .addColumn("project_id", "bigint", optionalReference("projects.id"))
      .addColumn("actor_id", "bigint", optionalReference("accounts.id"))
      .addColumn("message_id", "bigint", optionalReference("messages.id"))
      .addColumn("comment_id", "bigint")
      .addColumn("file_id", "bigint", optionalReference("files.id"))
      .addColumn("task_id", "bigint")
      .addColumn("status_id", "bigint", optionalReference("file_statuses.id"))
      .addColumn("endpoint_id", "bigint")
      .addColumn("in_app", "integer", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("read_at", "bigint")
      .execute();
    await sql`create unique index notifications_dedupe on notifications (account_id, dedupe_key)`.execute(tx);
    await sql`create index notifications_list on notifications (account_id, id)`.execute(tx);
    await sql`create index notifications_unread on notifications (account_id, id) where read_at is null`.execute(tx);
    await sql`create index notifications_created on notifications (created_at)`.execute(tx);
    for (const column of ["message_id", "comment_id", "file_id", "task_id"])
      await sql`create index ${sql.ref(`notifications_${column}`)} on notifications (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(tx);

    // For the hourly search for tasks that are due.
    await sql`create index tasks_due on tasks (due_at) where closed_at is null and assignee_id is not null and due_at is not null`.execute(tx);

    await tx.schema
      .createTable("notification_settings")
      .addColumn("account_id", "bigint", (column) => column.primaryKey().references("accounts.id"))
      .addColumn("kinds", "text", withDefault("{}"))
      .addColumn("do_not_disturb_start", "integer")
      .addColumn("do_not_disturb_end", "integer")
      .addColumn("paused_until", "bigint")
      .execute();
    await tx.schema
      .createTable("project_notification_settings")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("muted", "integer", withDefault(0))
      .addColumn("kinds", "text", withDefault("{}"))
      .addPrimaryKeyConstraint("project_notification_settings_key", ["account_id", "project_id"])
      .execute();

    await tx.schema
      .createTable("file_watchers")
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("watching", "integer", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addPrimaryKeyConstraint("file_watchers_key", ["file_id", "account_id"])
      .execute();
    await tx.schema.createIndex("file_watchers_account").on("file_watchers").column("account_id").execute();
    await sql`insert into file_watchers (file_id, account_id, watching, created_at)
      select file_id, account_id, 1, min(created_at) from (
        select file_id, created_by as account_id, created_at from file_versions
        union all select file_id, account_id, created_at from comments where deleted_at is null
      ) activity group by file_id, account_id`.execute(tx);
  },
};
