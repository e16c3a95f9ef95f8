/** Creates organizations, accounts, projects, the chat, the event log, and the tables for sign-in and access. */
import { sql, type ColumnDefinitionBuilder } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, optionalReference, withDefault } from "./migration.ts";

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull();

export const foundation: Migration = {
  name: "001-foundation",
  async up(tx, engine) {
    const table = (name: string) => createTableWithId(tx, engine, name);

    await table("organisations").addColumn("name", "text", notNull).addColumn("created_at", "bigint", notNull).execute();
    await table("teams")
      .addColumn("organisation_id", "bigint", requiredReference("organisations.id"))
      .addColumn("name", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await table("accounts")
      .addColumn("organisation_id", "bigint", requiredReference("organisations.id"))
      .addColumn("role", "text", notNull)
      .addColumn("username", "text", notNull)
      .addColumn("username_key", "text", (column) => column.notNull().unique())
      .addColumn("email", "text", notNull)
      .addColumn("email_key", "text", (column) => column.notNull().unique())
      .addColumn("user_info", "text", withDefault(""))
      .addColumn("password_hash", "text")
      .addColumn("disabled_at", "bigint")
      .addColumn("last_seen_at", "bigint")
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("accounts_organisation").on("accounts").columns(["organisation_id", "id"]).execute();
    await tx.schema
      .createTable("team_members")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("added_at", "bigint", notNull)
      .addPrimaryKeyConstraint("team_members_key", ["team_id", "account_id"])
      .execute();
    await tx.schema.createIndex("team_members_account").on("team_members").column("account_id").execute();
    await table("file_statuses")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("title", "text", notNull)
      .addColumn("color", "integer", notNull)
      .addColumn("position", "integer", notNull)
      .execute();

    await table("project_groups")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("name", "text", notNull)
      .addColumn("description", "text", withDefault(""))
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await table("projects")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("group_id", "bigint", optionalReference("project_groups.id"))
      .addColumn("name", "text", notNull)
      .addColumn("description", "text", withDefault(""))
      .addColumn("root_folder_id", "bigint")
      .addColumn("last_message_id", "bigint")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .execute();
    await tx.schema.createIndex("project_groups_team").on("project_groups").column("team_id").execute();
    await tx.schema.createIndex("file_statuses_team").on("file_statuses").columns(["team_id", "position"]).execute();
    await tx.schema.createIndex("projects_group").on("projects").column("group_id").execute();
    await tx.schema.createIndex("projects_team").on("projects").columns(["team_id", "group_id"]).execute();
    await tx.schema
      .createTable("project_members")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("added_at", "bigint", notNull)
      .addPrimaryKeyConstraint("project_members_key", ["project_id", "account_id"])
      .execute();
    await tx.schema.createIndex("project_members_account").on("project_members").column("account_id").execute();

    await table("messages")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("body", "text", notNull)
      .addColumn("type", "text", withDefault("message"))
      .addColumn("is_audio_message", "integer", withDefault(0))
      .addColumn("parent_id", "bigint", optionalReference("messages.id"))
      .addColumn("parent_account_id", "bigint")
      .addColumn("client_id", "text")
      .addColumn("request_hash", "text")
      .addColumn("revision", "integer", withDefault(1))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("edited_at", "bigint")
      .addColumn("deleted_at", "bigint")
      .execute();
    await tx.schema.createIndex("messages_history").on("messages").columns(["project_id", "id"]).execute();
    await tx.schema
      .createIndex("messages_client")
      .on("messages")
      .columns(["account_id", "project_id", "client_id"])
      .unique()
      .where(sql.ref("client_id"), "is not", null)
      .execute();
    await tx.schema
      .createTable("read_markers")
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("last_read_message_id", "bigint", notNull)
      .addColumn("moved_at", "bigint", notNull)
      .addPrimaryKeyConstraint("read_markers_key", ["account_id", "project_id"])
      .execute();

    await table("sessions")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("user_agent", "text", notNull)
      .addColumn("address", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("last_seen_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("sessions_account").on("sessions").column("account_id").execute();
    await table("api_tokens")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("name", "text", notNull)
      .addColumn("public_id", "text", (column) => column.notNull().unique())
      .addColumn("token_hash", "text", notNull)
      .addColumn("scopes", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("expires_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await tx.schema.createIndex("api_tokens_account").on("api_tokens").column("account_id").execute();
    await table("invites")
      .addColumn("organisation_id", "bigint", requiredReference("organisations.id"))
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("role", "text", notNull)
      .addColumn("project_ids", "text", notNull)
      .addColumn("email", "text")
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("expires_at", "bigint", notNull)
      .addColumn("used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await table("password_resets")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "bigint", notNull)
      .addColumn("expires_at", "bigint", notNull)
      .addColumn("used_at", "bigint")
      .execute();
    await tx.schema.createIndex("password_resets_account").on("password_resets").column("account_id").execute();
    await tx.schema.createIndex("invites_organisation").on("invites").columns(["organisation_id", "id"]).execute();
    await tx.schema
      .createTable("live_tickets")
      .addColumn("token_hash", "text", primaryKey)
      .addColumn("account_id", "bigint", notNull)
      .addColumn("session_id", "bigint")
      .addColumn("token_id", "bigint")
      .addColumn("expires_at", "bigint", notNull)
      .execute();

    await tx.schema.createTable("topics").addColumn("topic", "text", primaryKey).addColumn("seq", "bigint", notNull).execute();
    await tx.schema
      .createTable("events")
      .addColumn("topic", "text", notNull)
      .addColumn("seq", "bigint", notNull)
      .addColumn("type", "text", notNull)
      .addColumn("data", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addPrimaryKeyConstraint("events_key", ["topic", "seq"])
      .execute();
    await tx.schema.createIndex("events_age").on("events").column("created_at").execute();
    await tx.schema
      .createTable("idempotency")
      .addColumn("account_id", "bigint", notNull)
      .addColumn("operation", "text", notNull)
      .addColumn("key", "text", notNull)
      .addColumn("request_hash", "text", notNull)
      .addColumn("result", "text", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addPrimaryKeyConstraint("idempotency_key", ["account_id", "operation", "key"])
      .execute();
    await table("attempts").addColumn("bucket", "text", notNull).addColumn("created_at", "bigint", notNull).execute();
    await tx.schema.createIndex("attempts_bucket").on("attempts").columns(["bucket", "created_at"]).execute();
    await table("audit")
      .addColumn("organisation_id", "bigint", notNull)
      .addColumn("account_id", "bigint")
      .addColumn("action", "text", notNull)
      .addColumn("target", "text", notNull)
      .addColumn("detail", "text", withDefault("{}"))
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("audit_organisation").on("audit").columns(["organisation_id", "id"]).execute();
  },
};
