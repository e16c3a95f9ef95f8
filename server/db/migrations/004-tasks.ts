/** Creates tasks and task templates. */
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, requiredReference, optionalReference } from "./migration.ts";

export const tasks: Migration = {
  name: "004-tasks",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "tasks")
      .addColumn("file_id", "bigint", requiredReference("files.id"))
      .addColumn("title", "text", notNull)
      .addColumn("assignee_id", "bigint", optionalReference("accounts.id"))
      .addColumn("due_at", "bigint")
      .addColumn("position", "integer", notNull)
      .addColumn("revision", "integer", (column) => column.notNull().defaultTo(1))
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("closed_at", "bigint")
      .addColumn("closed_by", "bigint", optionalReference("accounts.id"))
      .execute();
    await tx.schema.createIndex("tasks_file").on("tasks").columns(["file_id", "position"]).execute();
    await tx.schema.createIndex("tasks_assignee").on("tasks").columns(["assignee_id", "id"]).execute();

    // `created_by` is null for templates that the service created with the team.
    await createTableWithId(tx, engine, "task_templates")
      .addColumn("team_id", "bigint", requiredReference("teams.id"))
      .addColumn("name", "text", notNull)
      .addColumn("name_key", "text", notNull)
      .addColumn("tasks", "text", notNull)
      .addColumn("created_by", "bigint", optionalReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("task_templates_name").on("task_templates").columns(["team_id", "name_key"]).unique().execute();
  },
};
