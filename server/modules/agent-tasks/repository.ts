/** SQL for agent tasks and their runs, limited to projects that the actor sees. */
import { type Actor, assertCan, visibleProjects } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/errors.ts";
import type { RunView, TaskView } from "./presenter.ts";

export type AgentTaskRule = "agent_task.read" | "agent_task.run" | "agent_task.manage";

const DENIALS: Readonly<Record<AgentTaskRule, string>> = {
  "agent_task.read": "Guests cannot see what agents do.",
  "agent_task.run": "Guests cannot run the tasks of agents.",
  "agent_task.manage": "Only owners and admins can give agents tasks.",
};
export const assertCanForTask = (actor: Actor, rule: AgentTaskRule): void => assertCan(actor, rule, {}, DENIALS[rule]);

export const visibleTasks = (db: Db, actor: Actor) =>
  db.selectFrom("agent_tasks").where("agent_tasks.project_id", "in", visibleProjects(db, actor).select("projects.id"));

/** Returns the task. Throws a 404 if the actor does not see its project, a 403 if the rule forbids the action. */
export async function loadAuthorizedTask(db: Db, actor: Actor, rule: AgentTaskRule, id: number): Promise<Row<"agent_tasks">> {
  const task = await visibleTasks(db, actor).selectAll("agent_tasks").where("agent_tasks.id", "=", id).executeTakeFirst();
  if (!task) throw notFound("agent task");
  assertCanForTask(actor, rule);
  return task;
}

/** Returns the task and makes this transaction its project's only writer. */
export async function lockTask(tx: Tx, events: EventLog, actor: Actor, rule: AgentTaskRule, id: number): Promise<Row<"agent_tasks">> {
  const { project_id } = await loadAuthorizedTask(tx, actor, rule, id);
  await events.lock(tx, topicOf.project(project_id));
  return loadAuthorizedTask(tx, actor, rule, id);
}

export async function loadAuthorizedRun(db: Db, actor: Actor, rule: AgentTaskRule, id: number): Promise<RunView> {
  const run = await db.selectFrom("agent_task_runs").selectAll().where("id", "=", id).executeTakeFirst();
  const task = run && (await visibleTasks(db, actor).selectAll("agent_tasks").where("agent_tasks.id", "=", run.task_id).executeTakeFirst());
  if (!task) throw notFound("run");
  assertCanForTask(actor, rule);
  return { run, task };
}

/** Adds the newest run of each task. */
export async function loadTaskViews(db: Db, tasks: readonly Row<"agent_tasks">[]): Promise<TaskView[]> {
  if (tasks.length === 0) return [];
  const newest = db
    .selectFrom("agent_task_runs")
    .select(({ fn }) => fn.max("id").as("id"))
    .where("task_id", "in", padIds(tasks.map(({ id }) => id)))
    .groupBy("task_id");
  const runs = await db.selectFrom("agent_task_runs").select(["id", "task_id", "state", "created_at", "finished_at"]).where("id", "in", newest).execute();
  const runByTask = new Map(runs.map((run) => [run.task_id, run]));
  return tasks.map((task) => ({ task, lastRun: runByTask.get(task.id) ?? null }));
}

/** Announces that a task or a run of it changed. The caller's transaction is the project's only writer, or becomes it. */
export const publishTask = (tx: Tx, events: EventLog, { id, agent_id, project_id }: Pick<Row<"agent_tasks">, "id" | "agent_id" | "project_id">) =>
  events.append(tx, topicOf.project(project_id), "agent_tasks.changed", { project_id, agent_id, task_id: id });
