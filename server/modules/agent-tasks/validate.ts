/** Validates what a task refers to: agent, file, statuses, people, schedule and placeholders. */
import { findAgentActor } from "../agents/agent-accounts.ts";
import type { AgentTaskTrigger, RuleStep } from "../../../contract/agent-task-records.ts";
import { RULE_PLACEHOLDERS } from "../../../contract/agent-task-records.ts";
import { type Actor, visibleFiles, visibleProjects } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import { assertAssignee } from "../tasks/repository.ts";
import type { AgentTaskDeps } from "./deps.ts";
import { findUnknownPlaceholder } from "./facts.ts";
import { findScheduleIssue } from "./schedule.ts";
import { stepNeedsFile, stepsOf } from "./steps.ts";

export interface TaskContent {
  name: string;
  fileId: number | null;
  trigger: AgentTaskTrigger;
  steps: RuleStep[];
  result: Row<"agent_tasks">["result"];
  prompt: string | null;
  sinceHours: number | null;
}
export interface CheckedTask extends TaskContent {
  agentId: number;
  projectId: number;
  action: Row<"agent_tasks">["action"];
}

async function assertStatus(tx: Tx, projectId: number, statusId: number, path: string): Promise<void> {
  const status = await tx
    .selectFrom("file_statuses")
    .innerJoin("projects", "projects.team_id", "file_statuses.team_id")
    .select("file_statuses.id")
    .where("projects.id", "=", projectId)
    .where("file_statuses.id", "=", statusId)
    .where("file_statuses.deleted_at", "is", null)
    .executeTakeFirst();
  if (!status) throw invalid(path, "must be a status of the project's team");
}

async function assertTrigger(tx: Tx, now: number, projectId: number, trigger: AgentTaskTrigger): Promise<void> {
  if (trigger.type === "at" && Date.parse(trigger.time) <= now) throw invalid("trigger.time", "must be in the future");
  if (trigger.type === "schedule") {
    const issue = findScheduleIssue(trigger.cron, trigger.time_zone, now);
    if (issue) throw invalid(`trigger.${issue.path}`, issue.message);
  }
  if (trigger.type !== "event" || typeof trigger.status_id !== "number") return;
  if (trigger.event !== "file.status_changed") throw invalid("trigger.status_id", "must be left out for this event");
  await assertStatus(tx, projectId, trigger.status_id, "trigger.status_id");
}

async function assertSteps(tx: Tx, actor: Actor, { projectId, action, steps }: CheckedTask): Promise<void> {
  if (action === "rule" && steps.length === 0) throw invalid("steps", "must have at least one step");
  if (action !== "rule" && steps.length > 0) throw invalid("steps", "must be empty unless the action is rule");
  for (const [index, step] of steps.entries()) {
    const [member, text] = "text" in step ? ["text", step.text] : "title" in step ? ["title", step.title] : ["", ""];
    const unknown = findUnknownPlaceholder(text);
    const known = RULE_PLACEHOLDERS.map((name) => `{${name}}`).join(" ");
    if (unknown !== null) throw invalid(`steps.${index}.${member}`, `must not contain {${unknown}}: the placeholders are ${known}`);
    if (step.type === "set_status") await assertStatus(tx, projectId, step.status_id, `steps.${index}.status_id`);
    if (step.type === "create_task" && typeof step.assignee_account_id === "number")
      await assertAssignee(tx, actor, projectId, step.assignee_account_id, `steps.${index}.assignee_account_id`);
  }
}

function assertModelMembers({ action, prompt, sinceHours, trigger }: CheckedTask): void {
  if (action === "rule" && prompt !== null) throw invalid("prompt", "must be left out for a rule");
  if (action !== "summarize" && sinceHours !== null) throw invalid("since_hours", "must be left out unless the action is summarize");
  // A person who starts the run can ask.
  if (action === "answer" && prompt === null && trigger.type !== "manual") throw invalid("prompt", "must be the question, unless only people start the task");
}

/** Throws a 400 unless the agent can do this in the project. `actor`: the person who gives the task. A trigger that was checked before may be left out. */
export async function assertValidTask(tx: Tx, { clock }: Pick<AgentTaskDeps, "clock">, actor: Actor, task: CheckedTask, isTriggerNew: boolean): Promise<void> {
  const agent = (await findAgentActor(tx, task.agentId))?.actor;
  const project = agent && (await visibleProjects(tx, agent).select("projects.id").where("projects.id", "=", task.projectId).executeTakeFirst());
  if (!agent || !project) throw invalid("project_id", "must be a project that the agent is in");
  if (task.fileId !== null) {
    const file = await visibleFiles(tx, agent)
      .select("files.id")
      .where("files.id", "=", task.fileId)
      .where("files.project_id", "=", task.projectId)
      .where("files.is_folder", "=", 0)
      .executeTakeFirst();
    if (!file) throw invalid("file_id", "must be a file of the project");
  }
  if (isTriggerNew) await assertTrigger(tx, clock.now(), task.projectId, task.trigger);
  await assertSteps(tx, actor, task);
  assertModelMembers(task);
  const isStartedByClock = task.trigger.type === "at" || task.trigger.type === "schedule";
  if (isStartedByClock && task.fileId === null && stepsOf({ ...task, steps: JSON.stringify(task.steps) }).some(stepNeedsFile))
    throw invalid("file_id", "must name the file that the steps are about");
}
