/** Lists of agent tasks and their runs, filled with the longest records. */
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Operation } from "../../../contract/define-operation.ts";
import type { Tx } from "../../db/schema.ts";
import { createAgentIn } from "../agents.ts";
import type { Fixtures } from "../fixtures.ts";
import { range } from "./fill.ts";
import { byCursor, type ListCase } from "./paged-lists.ts";

const LONG_STEP = { type: "post_message", text: "\u{1F3B5}".repeat(LIMITS.rule_text_characters) };
const ENTRY = { time: "2026-01-01T00:00:00.000Z", text: `Created the task "${"\u{1F3B5}".repeat(LIMITS.task_title_characters)}".` };
const RUNS = 200;

async function insertTasks(tx: Tx, { testApp, home, owner }: Fixtures, count: number): Promise<{ agent: number; first: number }> {
  const agent = await createAgentIn(tx, testApp.engine, testApp.clock.now(), { createdBy: owner, projects: [home.project] });
  const task = {
    agent_id: agent,
    project_id: home.project,
    name: "\u{1F3B5}".repeat(LIMITS.agent_task_name_characters),
    action: "rule" as const,
    trigger_type: "manual" as const,
    trigger_data: JSON.stringify({ type: "manual" }),
    steps: JSON.stringify(range(LIMITS.rule_steps, () => LONG_STEP)),
    result: "message" as const,
    state: "active" as const,
    created_by: owner.id,
    created_at: 1,
    updated_at: 1,
  };
  const rows = await tx
    .insertInto("agent_tasks")
    .values(range(count, () => task))
    .returning("id")
    .execute();
  return { agent, first: rows[0]!.id };
}

export const AGENT_TASK_CASES: [string, Operation, ListCase][] = [
  [
    "listAgentTasks",
    operations.listAgentTasks,
    {
      records: LIMITS.tasks_per_agent,
      async prepare(tx, fixtures) {
        const { agent } = await insertTasks(tx, fixtures, LIMITS.tasks_per_agent);
        return byCursor({ params: { agent_id: agent } }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listAgentTaskRuns",
    operations.listAgentTaskRuns,
    {
      records: RUNS,
      async prepare(tx, fixtures) {
        const { first } = await insertTasks(tx, fixtures, 1);
        const results = range(LIMITS.rule_steps, (index) => ({ type: "message", id: index + 1, project_id: fixtures.home.project, file_id: null }));
        const texts = { log: JSON.stringify(range(2 * LIMITS.rule_steps, () => ENTRY)), results: JSON.stringify(results), error: "x".repeat(1_000) };
        const run = { task_id: first, state: "failed" as const, started_by: "manual" as const, created_at: 1, finished_at: 2, ...texts };
        await tx
          .insertInto("agent_task_runs")
          .values(range(RUNS, () => run))
          .execute();
        return byCursor({ params: { task_id: first } }, "query", LIMITS.history_max);
      },
    },
  ],
];
