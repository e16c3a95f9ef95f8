/** Starts a run: a row, and a job that executes it. */
import { LIMITS } from "../../../contract/limits.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { Queue } from "../../jobs/queue.ts";
import { HOUR } from "../../lib/clock.ts";
import { jobKindOf } from "./deps.ts";
import { publishTask } from "./repository.ts";

export interface RunStart {
  startedBy: Row<"agent_task_runs">["started_by"];
  accountId: number | null;
  fileId: number | null;
  /** The question of this run; left out: the one of the task. */
  prompt?: string | null;
}
export type StartRunDeps = Pick<ModuleDeps, "events" | "clock"> & { queue: Queue };

/** Returns the run's id; null if the task was started as often as it may be within an hour. */
export async function startRun(tx: Tx, { events, clock, queue }: StartRunDeps, task: Row<"agent_tasks">, start: RunStart): Promise<number | null> {
  const now = clock.now();
  const { count } = await tx
    .selectFrom("agent_task_runs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("task_id", "=", task.id)
    .where("created_at", ">", now - HOUR)
    .executeTakeFirstOrThrow();
  if (count >= LIMITS.runs_per_task_and_hour) return null;
  const { id } = await tx
    .insertInto("agent_task_runs")
    .values({
      task_id: task.id,
      state: "waiting",
      started_by: start.startedBy,
      started_by_account_id: start.accountId,
      file_id: task.file_id ?? start.fileId,
      prompt: start.prompt ?? null,
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", task.agent_id).executeTakeFirstOrThrow();
  await queue.enqueue(tx, now, { kind: jobKindOf(task), subject_id: id, organisation_id, account_id: task.agent_id });
  await publishTask(tx, events, task);
  return id;
}
