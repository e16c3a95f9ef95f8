/** Presents agent tasks and their runs as wire records. */
import type { AgentRunLogEntry, AgentRunResult, AgentTask, AgentTaskRun, AgentTaskTrigger, RuleStep } from "../../../contract/agent-task-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

export interface TaskView {
  task: Row<"agent_tasks">;
  lastRun: Pick<Row<"agent_task_runs">, "id" | "state" | "created_at" | "finished_at"> | null;
}
export interface RunView {
  run: Row<"agent_task_runs">;
  task: Pick<Row<"agent_tasks">, "id" | "agent_id" | "project_id">;
}

export const parseTrigger = ({ trigger_data }: Pick<Row<"agent_tasks">, "trigger_data">): AgentTaskTrigger => JSON.parse(trigger_data) as AgentTaskTrigger;
export const parseSteps = ({ steps }: Pick<Row<"agent_tasks">, "steps">): RuleStep[] => JSON.parse(steps) as RuleStep[];
export const parseLog = ({ log }: Pick<Row<"agent_task_runs">, "log">): AgentRunLogEntry[] => JSON.parse(log) as AgentRunLogEntry[];
export const parseResults = ({ results }: Pick<Row<"agent_task_runs">, "results">): AgentRunResult[] => JSON.parse(results) as AgentRunResult[];

export const presentTask = ({ task, lastRun }: TaskView): AgentTask => ({
  object: "agent_task",
  id: task.id,
  agent_id: task.agent_id,
  project_id: task.project_id,
  file_id: task.file_id,
  name: task.name,
  action: task.action,
  trigger: parseTrigger(task),
  steps: parseSteps(task),
  result: task.result,
  prompt: task.prompt,
  since_hours: task.since_hours,
  state: task.state,
  next_run_at: isoOrNull(task.next_run_at),
  last_run: lastRun && { id: lastRun.id, state: lastRun.state, created_at: iso(lastRun.created_at), finished_at: isoOrNull(lastRun.finished_at) },
  created_by_account_id: task.created_by,
  created_at: iso(task.created_at),
  updated_at: iso(task.updated_at),
  revision: task.revision,
});

export const presentRun = ({ run, task }: RunView): AgentTaskRun => ({
  object: "agent_task_run",
  id: run.id,
  task_id: task.id,
  agent_id: task.agent_id,
  project_id: task.project_id,
  state: run.state,
  started_by: run.started_by,
  started_by_account_id: run.started_by_account_id,
  file_id: run.file_id,
  prompt: run.prompt,
  waiting_for: run.waiting_for,
  created_at: iso(run.created_at),
  started_at: isoOrNull(run.started_at),
  finished_at: isoOrNull(run.finished_at),
  log: parseLog(run),
  results: parseResults(run),
  error: run.error,
});
