/** Runs of agent tasks: starting one by hand, reading and canceling them, and deleting old ones. */
import type { AgentRunState } from "../../../contract/agent-task-records.ts";
import { AGENT_RUN_RETENTION_DAYS, LIMITS } from "../../../contract/limits.ts";
import { type Actor, visibleFiles } from "../../access/access.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import { affectedRows, runInBatches } from "../../db/batches.ts";
import { topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, invalid } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { type AgentTaskDeps, needsModel } from "./deps.ts";
import { NO_MODEL } from "./models/ask.ts";
import { parseLog, type RunView } from "./presenter.ts";
import { loadAuthorizedRun, loadAuthorizedTask, lockTask, publishTask } from "./repository.ts";
import { startRun } from "./start-run.ts";

interface RunInput {
  fileId: number | null;
  prompt: string | null;
}

export function createAgentTaskRuns(deps: AgentTaskDeps) {
  const { database, events, clock, model } = deps;
  return {
    /** `fileId`: what the run is about, unless the task names a file. `prompt`: its question, instead of the task's. */
    start(actor: Actor, taskId: number, { fileId, prompt }: RunInput, idempotencyKey: IdempotencyKey | null): Promise<RunView> {
      return database.write(async (tx) => {
        const task = await lockTask(tx, events, actor, "agent_task.run", taskId);
        if (fileId !== null) {
          const files = visibleFiles(tx, actor).where("files.project_id", "=", task.project_id).where("files.is_folder", "=", 0);
          if (!(await files.select("files.id").where("files.id", "=", fileId).executeTakeFirst())) throw invalid("file_id", "must be a file of the project");
        }
        if (prompt !== null && task.action !== "answer") throw invalid("prompt", "must be left out unless the action is answer");
        if (task.action === "answer" && prompt === null && task.prompt === null) throw invalid("prompt", "must be the question, because the task has none");
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          if (needsModel(task) && !model) throw conflict(NO_MODEL);
          const started = await startRun(tx, deps, task, { startedBy: "manual", accountId: actor.accountId, fileId, prompt });
          if (started === null) throw conflict(`A task can be started at most ${LIMITS.runs_per_task_and_hour} times an hour.`);
          return started;
        });
        return loadAuthorizedRun(tx, actor, "agent_task.read", id);
      });
    },

    /** Returns a page of the task's runs, newest first. */
    async list(actor: Actor, taskId: number, state: AgentRunState | null, before: number, limit: number): Promise<{ runs: RunView[]; next: number | null }> {
      const task = await loadAuthorizedTask(database.read, actor, "agent_task.read", taskId);
      let query = database.read.selectFrom("agent_task_runs").selectAll().where("task_id", "=", task.id);
      if (state !== null) query = query.where("state", "=", state);
      if (before > 0) query = query.where("id", "<", before);
      const found = await query
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const { rows, next } = toPage(found, limit);
      return { runs: rows.map((run) => ({ run, task })), next };
    },

    get: (actor: Actor, id: number): Promise<RunView> => loadAuthorizedRun(database.read, actor, "agent_task.read", id),

    /** Cancels a run. One that runs ends with the step that it is at. */
    cancel(actor: Actor, id: number): Promise<RunView> {
      return database.write(async (tx) => {
        const { task } = await loadAuthorizedRun(tx, actor, "agent_task.run", id);
        await events.lock(tx, topicOf.project(task.project_id));
        const { run } = await loadAuthorizedRun(tx, actor, "agent_task.run", id);
        if (run.state !== "waiting" && run.state !== "running") return { run, task };
        const now = clock.now();
        const canceled = await tx
          .updateTable("agent_task_runs")
          .set({ state: "canceled", waiting_for: null, finished_at: now, log: JSON.stringify([...parseLog(run), { time: iso(now), text: "Canceled." }]) })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await publishTask(tx, events, task);
        return { run: canceled, task };
      });
    },

    /** Deletes runs past retention, and returns their number. */
    erase(): Promise<number> {
      const before = clock.now() - AGENT_RUN_RETENTION_DAYS * DAY;
      return runInBatches(database, {
        find: async (db, limit) =>
          (await db.selectFrom("agent_task_runs").select("id").where("created_at", "<", before).limit(limit).execute()).map(({ id }) => id),
        change: async (tx, ids) => affectedRows(await tx.deleteFrom("agent_task_runs").where("id", "in", ids).executeTakeFirst()),
      });
    },
  };
}
