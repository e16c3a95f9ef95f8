/** Starts tasks whose time has come, and those that wait for an event. */
import { isAgent } from "../agents/agent-accounts.ts";
import type { AgentTaskTrigger, TaskEvent } from "../../../contract/agent-task-records.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { splitExtension } from "../../../contract/file-order.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { matchesPattern, parseWildcards } from "../delivery-rules/name-pattern.ts";
import type { AgentTaskDeps } from "./deps.ts";
import { parseTrigger } from "./presenter.ts";
import { nextRun } from "./schedule.ts";
import { startRun } from "./start-run.ts";

/** What the events of files have in common. */
interface FileEvent {
  id: number;
  name: string;
  kind: string;
  project_id: number;
  version: number;
  new_status?: { id: number };
  changed_by_account_id: number;
}
type EventTrigger = Extract<AgentTaskTrigger, { type: "event" }>;

/** Tasks that one transaction starts by the clock. */
const DUE_TASKS = 20;

function taskEventOf(type: WebhookEventType, { version }: FileEvent): TaskEvent | null {
  if (type === "file.status_changed") return type;
  if (type !== "file.uploaded") return null;
  return version === 1 ? "file.uploaded" : "file.version_added";
}

/** Returns whether an event starts a task with this trigger. */
export function matchesEvent(trigger: EventTrigger, event: TaskEvent, file: FileEvent): boolean {
  const { status_id = null, file_kind = null, name_pattern = null } = trigger;
  return (
    trigger.event === event &&
    (status_id === null || status_id === file.new_status?.id) &&
    (file_kind === null || file_kind === file.kind) &&
    (name_pattern === null || matchesPattern(splitExtension(file.name)[0], parseWildcards(name_pattern)))
  );
}

/** Returns when the clock starts a task with this trigger next, after this time; null if it does not. */
export function nextTime(trigger: AgentTaskTrigger, after: number): number | null {
  if (trigger.type === "schedule") return nextRun(trigger.cron, trigger.time_zone, after);
  if (trigger.type !== "at") return null;
  const time = Date.parse(trigger.time);
  return time > after ? time : null;
}

export function createTriggers(deps: AgentTaskDeps) {
  const { database, clock, events } = deps;
  /** The projects in which tasks start by themselves. */
  const activeProjects = (db: Db) => db.selectFrom("projects").select("id").where("deleted_at", "is", null).where("archived_at", "is", null);
  return {
    /** Starts the tasks that wait for this event, in the transaction that stores it. What an agent does starts no task, so that agents do not start each other. */
    async onEvent(tx: Tx, type: WebhookEventType, data: object): Promise<void> {
      const file = data as FileEvent;
      const event = taskEventOf(type, file);
      if (event === null) return;
      const waiting = await tx
        .selectFrom("agent_tasks")
        .selectAll()
        .where("project_id", "=", file.project_id)
        .where("project_id", "in", activeProjects(tx))
        .where("trigger_type", "=", "event")
        .where("state", "=", "active")
        .orderBy("id")
        .execute();
      const tasks = waiting.filter(
        (task) => (task.file_id === null || task.file_id === file.id) && matchesEvent(parseTrigger(task) as EventTrigger, event, file),
      );
      if (tasks.length === 0 || (await isAgent(tx, file.changed_by_account_id))) return;
      for (const task of tasks) await startRun(tx, deps, task, { startedBy: "event", accountId: file.changed_by_account_id, fileId: file.id });
    },

    /** Starts tasks whose time has come, each once however many processes look. Returns whether there may be more. */
    async startDue(): Promise<boolean> {
      const now = clock.now();
      const due = await database.read
        .selectFrom("agent_tasks")
        .select(["id", "project_id"])
        .where("next_run_at", "<=", now)
        .where("project_id", "in", activeProjects(database.read))
        .orderBy("next_run_at")
        .limit(DUE_TASKS)
        .execute();
      for (const { id, project_id } of due)
        await database.write(async (tx) => {
          await events.lock(tx, topicOf.project(project_id));
          const task = await lockRows(
            tx.selectFrom("agent_tasks").selectAll().where("id", "=", id).where("next_run_at", "<=", now),
            database.engine,
            "update",
          ).executeTakeFirst();
          if (task) await startTask(tx, task, now);
        });
      return due.length === DUE_TASKS;
    },
  };

  /** Missed times are not made up for: a task that was due several times runs once. */
  async function startTask(tx: Tx, task: Row<"agent_tasks">, now: number): Promise<void> {
    const trigger = parseTrigger(task);
    await tx
      .updateTable("agent_tasks")
      .set({ next_run_at: nextTime(trigger, now), ...(trigger.type === "at" ? { state: "done" as const } : {}) })
      .where("id", "=", task.id)
      .execute();
    await startRun(tx, deps, task, { startedBy: trigger.type, accountId: null, fileId: null });
  }
}
