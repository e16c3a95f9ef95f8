import * as z from "zod/mini";
import {
  AGENT_RUN_STATES,
  AGENT_TASK_ACTIONS,
  agentPrompt,
  agentTask,
  agentTaskName,
  agentTaskResult,
  agentTaskRun,
  agentTaskTrigger,
  ruleSteps,
} from "../agent-task-records.ts";
import { operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { id, idInPath, withDescription } from "../text.ts";

const params = z.object({ task_id: idInPath });
const runParams = z.object({ run_id: idInPath });
const common = { group: "Agent tasks", source: "extension" } as const;
/** Texts of tasks and logs of runs show what is in chats and files. */
const read = { ...common, method: "GET", scope: "account:read", furtherScopes: ["chat:read", "files:read"], rule: "agent_task.read" } as const;
/** A token needs the scopes of what tasks can do, so that it does nothing more through an agent. */
const change = {
  ...common,
  scope: "admin",
  furtherScopes: ["account:read", "chat:read", "chat:write", "files:read", "files:write"],
  rule: "agent_task.manage",
} as const;
const changeRun = { ...change, method: "POST", rule: "agent_task.run" } as const;

const content = {
  name: agentTaskName,
  file_id: withDescription(z.optional(z.nullable(id)), "the file that the task is about; null or left out: the one of the event, or none"),
  trigger: agentTaskTrigger,
  steps: withDescription(z.optional(ruleSteps), "of a rule, in order: at least one"),
  result: withDescription(z.optional(agentTaskResult), "where the result of an action other than a rule goes; a message by default"),
  prompt: withDescription(
    z.optional(z.nullable(agentPrompt)),
    "of answer: the question; of summarize: what matters to its readers; of check_delivery: how a model introduces the result. Null or left out: none",
  ),
  since_hours: withDescription(
    z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(LIMITS.summary_hours)))),
    "of summarize: how far back it reaches; null or left out: to the previous run that succeeded, or for a day",
  ),
};

export const listAgentTasks = operation({
  ...read,
  path: "/api/v2/agents/{agent_id}/tasks",
  summary: "The tasks of an agent in projects that you see, newest first",
  cost: 2,
  params: z.object({ agent_id: idInPath }),
  query: z.object({ project_id: withDescription(z.optional(idInPath), "of one project"), ...pageQuery.shape }),
  response: page(agentTask),
});
export const createAgentTask = operation({
  ...change,
  method: "POST",
  path: "/api/v2/agents/{agent_id}/tasks",
  summary: "Give an agent a task in a project that it sees",
  cost: 2,
  params: z.object({ agent_id: idInPath }),
  body: z.object({ project_id: id, action: z.enum(AGENT_TASK_ACTIONS), ...content }),
  response: single("agent_task", agentTask),
  idempotent: true,
  errors: { 409: `The agent has ${LIMITS.tasks_per_agent} tasks, or the service has no model for it.` },
});
export const getAgentTask = operation({
  ...read,
  path: "/api/v2/agent-tasks/{task_id}",
  summary: "Get one task of an agent",
  params,
  response: single("agent_task", agentTask),
});
export const updateAgentTask = operation({
  ...change,
  method: "PATCH",
  path: "/api/v2/agent-tasks/{task_id}",
  summary: "Change, pause or resume a task of an agent; its action and project stay",
  params,
  body: z.object({
    name: z.optional(content.name),
    file_id: content.file_id,
    trigger: z.optional(content.trigger),
    steps: content.steps,
    result: content.result,
    prompt: content.prompt,
    since_hours: content.since_hours,
    state: withDescription(z.optional(z.enum(["active", "paused"])), "while it is paused, nothing but a person starts it"),
  }),
  response: single("agent_task", agentTask),
  errors: { 409: "The service has no model for the task." },
});
export const deleteAgentTask = operation({
  ...change,
  method: "DELETE",
  path: "/api/v2/agent-tasks/{task_id}",
  summary: "Delete a task with its runs; what the runs wrote stays",
  params,
  response: null,
});
export const runAgentTask = operation({
  ...changeRun,
  path: "/api/v2/agent-tasks/{task_id}/run",
  summary: "Run a task now, whatever its state",
  cost: 4,
  params,
  body: z.object({
    file_id: withDescription(z.optional(z.nullable(id)), "the file that this run is about, if the task names none"),
    prompt: withDescription(z.optional(z.nullable(agentPrompt)), "of answer: the question of this run, instead of the task's"),
  }),
  response: single("agent_task_run", agentTaskRun),
  idempotent: true,
  errors: { 409: `The task was started ${LIMITS.runs_per_task_and_hour} times in the last hour, or the service has no model for it.` },
});
export const listAgentTaskRuns = operation({
  ...read,
  path: "/api/v2/agent-tasks/{task_id}/runs",
  summary: "The runs of a task in the last 90 days, newest first",
  cost: 2,
  params,
  query: z.object({ state: z.optional(z.enum(AGENT_RUN_STATES)), ...pageQuery.shape }),
  response: page(agentTaskRun),
});
export const getAgentTaskRun = operation({
  ...read,
  path: "/api/v2/agent-task-runs/{run_id}",
  summary: "Get one run with its log",
  params: runParams,
  response: single("agent_task_run", agentTaskRun),
});
export const cancelAgentTaskRun = operation({
  ...changeRun,
  path: "/api/v2/agent-task-runs/{run_id}/cancel",
  summary: "Cancel a run that waits or runs: the step that it is at is its last; one that has ended stays as it is",
  params: runParams,
  response: single("agent_task_run", agentTaskRun),
});
