/** Agent tasks: giving an agent tasks, changing, pausing and deleting them. */
import { loadAgentAccount } from "../agents/repository.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { type Actor, loadAuthorizedProject } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { type NewEvent, topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { conflict } from "../../lib/errors.ts";
import { type AgentTaskDeps, needsModel } from "./deps.ts";
import { NO_MODEL } from "./models/ask.ts";
import { parseSteps, parseTrigger, type TaskView } from "./presenter.ts";
import { assertCanForTask, loadAuthorizedTask, loadTaskViews, lockTask, publishTask, visibleTasks } from "./repository.ts";
import { nextTime } from "./triggers.ts";
import { assertValidTask, type CheckedTask, type TaskContent } from "./validate.ts";

export interface NewTask extends TaskContent {
  projectId: number;
  action: Row<"agent_tasks">["action"];
}
/** Undefined members stay unchanged. */
export type TaskChanges = { [M in keyof TaskContent]?: TaskContent[M] | undefined } & { state?: "active" | "paused" | undefined };

export function createAgentTasks(deps: AgentTaskDeps) {
  const { database, events, clock, model } = deps;
  const assertModel = (task: CheckedTask): void => {
    if (!model && (needsModel(task) || task.prompt !== null)) throw conflict(`${NO_MODEL} Only tasks without one are possible.`);
  };
  const loadView = async (tx: Tx, actor: Actor, id: number): Promise<TaskView> =>
    (await loadTaskViews(tx, [await loadAuthorizedTask(tx, actor, "agent_task.read", id)]))[0]!;

  async function insertTask(tx: Tx, actor: Actor, agentId: number, input: NewTask): Promise<number> {
    await assertCountBelow(tx, database.engine, {
      name: `tasks of agent ${agentId}`,
      max: LIMITS.tasks_per_agent,
      rows: tx.selectFrom("agent_tasks").where("agent_id", "=", agentId),
      denial: `An agent can have at most ${LIMITS.tasks_per_agent} tasks. Delete one first.`,
    });
    await assertValidTask(tx, deps, actor, { ...input, agentId }, true);
    assertModel({ ...input, agentId });
    const now = clock.now();
    const task = await tx
      .insertInto("agent_tasks")
      .values({
        agent_id: agentId,
        project_id: input.projectId,
        action: input.action,
        ...toColumns(input),
        state: "active",
        next_run_at: nextTime(input.trigger, now),
        created_by: actor.accountId,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishTask(tx, events, task);
    await auditActor(tx, now, actor, "agent_task.created", `agent_task:${task.id}`, { name: task.name, account_id: agentId });
    return task.id;
  }

  return {
    /** Returns a page of the agent's tasks that the actor sees, newest first. */
    async list(actor: Actor, agentId: number, projectId: number | null, before: number, limit: number): Promise<{ tasks: TaskView[]; next: number | null }> {
      const { id } = await loadAgentAccount(database.read, actor, agentId);
      assertCanForTask(actor, "agent_task.read");
      if (projectId !== null) await loadAuthorizedProject(database.read, actor, "agent_task.read", projectId);
      let query = visibleTasks(database.read, actor).selectAll("agent_tasks").where("agent_tasks.agent_id", "=", id);
      if (projectId !== null) query = query.where("agent_tasks.project_id", "=", projectId);
      if (before > 0) query = query.where("agent_tasks.id", "<", before);
      const found = await query
        .orderBy("agent_tasks.id", "desc")
        .limit(limit + 1)
        .execute();
      const { rows, next } = toPage(found, limit);
      return { tasks: await loadTaskViews(database.read, rows), next };
    },

    async get(actor: Actor, id: number): Promise<TaskView> {
      return (await loadTaskViews(database.read, [await loadAuthorizedTask(database.read, actor, "agent_task.read", id)]))[0]!;
    },

    create(actor: Actor, agentId: number, input: NewTask, idempotencyKey: IdempotencyKey | null): Promise<TaskView> {
      return database.write(async (tx) => {
        const account = await loadAgentAccount(tx, actor, agentId);
        assertCanForTask(actor, "agent_task.manage");
        const project = await loadAuthorizedProject(tx, actor, "agent_task.manage", input.projectId);
        await events.lock(tx, topicOf.project(project.id));
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), () => insertTask(tx, actor, account.id, input));
        return loadView(tx, actor, id);
      });
    },

    update(actor: Actor, id: number, changes: TaskChanges): Promise<TaskView> {
      return database.write(async (tx) => {
        const task = await lockTask(tx, events, actor, "agent_task.manage", id);
        const { state, ...content } = changes;
        const changed: CheckedTask = {
          agentId: task.agent_id,
          projectId: task.project_id,
          action: task.action,
          name: content.name ?? task.name,
          fileId: content.fileId === undefined ? task.file_id : content.fileId,
          trigger: content.trigger ?? parseTrigger(task),
          steps: content.steps ?? parseSteps(task),
          result: content.result ?? task.result,
          prompt: content.prompt === undefined ? task.prompt : content.prompt,
          sinceHours: content.sinceHours === undefined ? task.since_hours : content.sinceHours,
        };
        // A new trigger restarts a task that is done.
        const nextState = state ?? (task.state === "done" && content.trigger ? "active" : task.state);
        const isRestarted = nextState === "active" && task.state !== "active";
        await assertValidTask(tx, deps, actor, changed, content.trigger !== undefined || isRestarted);
        // Without a model, a task that needs one can still be paused.
        if (isRestarted || content.prompt) assertModel(changed);
        const now = clock.now();
        await tx
          .updateTable("agent_tasks")
          .set((eb) => ({
            ...toColumns(changed),
            state: nextState,
            next_run_at: nextState === "active" ? nextTime(changed.trigger, now) : null,
            updated_at: now,
            revision: eb("revision", "+", 1),
          }))
          .where("id", "=", id)
          .execute();
        await publishTask(tx, events, task);
        await auditActor(tx, now, actor, "agent_task.updated", `agent_task:${id}`, { name: changed.name, account_id: task.agent_id });
        return loadView(tx, actor, id);
      });
    },

    /** Deletes all tasks of an agent that is being deleted, with their runs, at the end of the transaction. */
    async removeAllOf(tx: Tx, agentId: number): Promise<void> {
      const tasks = await tx.selectFrom("agent_tasks").select(["id", "project_id"]).where("agent_id", "=", agentId).orderBy("id").execute();
      const topics = [...new Set(tasks.map(({ project_id }) => topicOf.project(project_id)))];
      events.atEnd(tx, topics, async () => {
        await deleteTasks(tx, agentId);
        const toEvent = ({ id, project_id }: { id: number; project_id: number }): NewEvent => ({
          topic: topicOf.project(project_id),
          type: "agent_tasks.changed",
          data: { project_id, agent_id: agentId, task_id: id },
        });
        await events.appendMany(tx, tasks.map(toEvent));
      });
    },

    /** Deletes the task with its runs. The job of a run finds it gone. */
    remove(actor: Actor, id: number): Promise<void> {
      return database.write(async (tx) => {
        const task = await lockTask(tx, events, actor, "agent_task.manage", id);
        await tx.deleteFrom("agent_task_runs").where("task_id", "=", id).execute();
        await tx.deleteFrom("agent_tasks").where("id", "=", id).execute();
        await publishTask(tx, events, task);
        await auditActor(tx, clock.now(), actor, "agent_task.deleted", `agent_task:${id}`, { name: task.name, account_id: task.agent_id });
      });
    },
  };
}

async function deleteTasks(tx: Tx, agentId: number): Promise<void> {
  await tx
    .deleteFrom("agent_task_runs")
    .where("task_id", "in", (eb) => eb.selectFrom("agent_tasks").select("id").where("agent_id", "=", agentId))
    .execute();
  await tx.deleteFrom("agent_tasks").where("agent_id", "=", agentId).execute();
}

const toColumns = ({ name, fileId, trigger, steps, result, prompt, sinceHours }: TaskContent) => ({
  name: name.trim(),
  file_id: fileId,
  trigger_type: trigger.type,
  trigger_data: JSON.stringify(trigger),
  steps: JSON.stringify(steps),
  result,
  prompt,
  since_hours: sinceHours,
});
