/** Tasks on files and folders, and templates of tasks. */
import type { ColumnDefinitionBuilder } from "kysely";
import { tableWithId, type Migration } from "../portable.ts";

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const to = (target: string) => (column: ColumnDefinitionBuilder) => column.notNull().references(target);
const toMaybe = (target: string) => (column: ColumnDefinitionBuilder) => column.references(target);

export const tasks: Migration = {
  name: "004-tasks",
  async up(tx, engine) {
    await tableWithId(tx, engine, "tasks")
      .addColumn("file_id", "bigint", to("files.id"))
      .addColumn("title", "text", required)
      .addColumn("assignee_id", "bigint", toMaybe("accounts.id"))
      .addColumn("due_at", "bigint")
      .addColumn("position", "integer", required)
      .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
      .addColumn("created_by", "bigint", to("accounts.id"))
      .addColumn("created_at", "bigint", required)
      .addColumn("closed_at", "bigint")
      .addColumn("closed_by", "bigint", toMaybe("accounts.id"))
      .execute();
    await tx.schema.createIndex("tasks_file").on("tasks").columns(["file_id", "position"]).execute();
    await tx.schema.createIndex("tasks_assignee").on("tasks").columns(["assignee_id", "id"]).execute();

    // `created_by` is null for what a team starts with.
    await tableWithId(tx, engine, "task_templates")
      .addColumn("team_id", "bigint", to("teams.id"))
      .addColumn("name", "text", required)
      .addColumn("name_key", "text", required)
      .addColumn("tasks", "text", required)
      .addColumn("created_by", "bigint", toMaybe("accounts.id"))
      .addColumn("created_at", "bigint", required)
      .execute();
    await tx.schema.createIndex("task_templates_name").on("task_templates").columns(["team_id", "name_key"]).unique().execute();
  },
};
