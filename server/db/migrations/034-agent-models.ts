/** Adds what a person asks a model for to agent tasks and their runs. */
import type { Migration } from "./migration.ts";

export const agentModels: Migration = {
  name: "034-agent-models",
  async up(tx) {
    await tx.schema.alterTable("agent_tasks").addColumn("prompt", "text").execute();
    await tx.schema.alterTable("agent_tasks").addColumn("since_hours", "integer").execute();
    await tx.schema.alterTable("agent_task_runs").addColumn("prompt", "text").execute();
  },
};
