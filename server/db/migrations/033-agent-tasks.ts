/** Creates the tables of agent tasks and their runs. */
import { sql } from "kysely";
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, optionalReference, requiredReference, withDefault } from "./migration.ts";

export const agentTasks: Migration = {
  name: "033-agent-tasks",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "agent_tasks")
      .addColumn("agent_id", "bigint", requiredReference("accounts.id"))
      .addColumn("project_id", "bigint", requiredReference("projects.id"))
      .addColumn("file_id", "bigint", optionalReference("files.id"))
      .addColumn("name", "text", notNull)
      .addColumn("action", "text", notNull)
      .addColumn("trigger_type", "text", notNull)
      .addColumn("trigger_data", "text", notNull)
      .addColumn("steps", "text", notNull)
      .addColumn("result", "text", notNull)
      .addColumn("state", "text", notNull)
      .addColumn("next_run_at", "bigint")
      .addColumn("created_by", "bigint", requiredReference("accounts.id"))
      .addColumn("created_at", "bigint", notNull)
      .addColumn("updated_at", "bigint", notNull)
      .addColumn("revision", "integer", withDefault(1))
      .execute();
    await tx.schema.createIndex("agent_tasks_agent").on("agent_tasks").columns(["agent_id", "id"]).execute();
    await sql`create index agent_tasks_events on agent_tasks (project_id) where trigger_type = 'event' and state = 'active'`.execute(tx);
    await sql`create index agent_tasks_due on agent_tasks (next_run_at) where next_run_at is not null`.execute(tx);
    await createTableWithId(tx, engine, "agent_task_runs")
      .addColumn("task_id", "bigint", requiredReference("agent_tasks.id"))
      .addColumn("state", "text", notNull)
      .addColumn("started_by", "text", notNull)
      .addColumn("started_by_account_id", "bigint", optionalReference("accounts.id"))
      .addColumn("file_id", "bigint", optionalReference("files.id"))
      .addColumn("steps_done", "integer", withDefault(0))
      .addColumn("waiting_for", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("started_at", "bigint")
      .addColumn("finished_at", "bigint")
      .addColumn("log", "text", withDefault("[]"))
      .addColumn("results", "text", withDefault("[]"))
      .addColumn("error", "text")
      .execute();
    await tx.schema.createIndex("agent_task_runs_task").on("agent_task_runs").columns(["task_id", "id"]).execute();
    await tx.schema.createIndex("agent_task_runs_created").on("agent_task_runs").column("created_at").execute();
  },
};
