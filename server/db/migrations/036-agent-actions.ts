/** Creates the log of what agents do. */
import { createTableWithId } from "../engine-sql.ts";
import { type Migration, notNull, optionalReference, requiredReference } from "./migration.ts";

export const agentActions: Migration = {
  name: "036-agent-actions",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "agent_actions")
      .addColumn("agent_id", "bigint", requiredReference("accounts.id"))
      .addColumn("run_id", "bigint")
      .addColumn("project_id", "bigint", optionalReference("projects.id"))
      .addColumn("action", "text", notNull)
      .addColumn("target_type", "text", notNull)
      .addColumn("target_id", "bigint", notNull)
      .addColumn("file_id", "bigint")
      .addColumn("state_before", "text")
      .addColumn("state_after", "text")
      .addColumn("created_at", "bigint", notNull)
      .addColumn("undone_at", "bigint")
      .addColumn("undone_by", "bigint", optionalReference("accounts.id"))
      .execute();
    await tx.schema.createIndex("agent_actions_agent").on("agent_actions").columns(["agent_id", "id"]).execute();
    await tx.schema.createIndex("agent_actions_run").on("agent_actions").columns(["run_id", "id"]).where("run_id", "is not", null).execute();
    await tx.schema.createIndex("agent_actions_created").on("agent_actions").column("created_at").execute();
  },
};
