/** Executes the job of a run: step by step, each recorded, so that a later attempt continues where a killed process stopped. */
import { findAgentActor } from "../agents/agent-accounts.ts";
import type { AgentRunResult } from "../../../contract/agent-task-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import type { Job } from "../../jobs/queue.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { HttpError } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { ModelError } from "../../models/model-error.ts";
import { type AgentTaskDeps, type StepServices } from "./deps.ts";
import { type FileFacts, loadFileFacts } from "./facts.ts";
import { parseLog, parseResults } from "./presenter.ts";
import { publishTask } from "./repository.ts";
import { createSteps, stepNeedsAnalysis, stepsOf } from "./steps.ts";
import type { StepContext } from "./step-context.ts";

interface Postponement {
  reason: string;
  delayMs: number;
  /** How long after the run's creation, or after `since`, it gives up. */
  maxAgeMs: number;
  failure: string;
  since?: number;
}
const PAUSED: Postponement = { reason: "The agent is paused.", delayMs: MINUTE, maxAgeMs: 7 * DAY, failure: "The agent was paused for a week." };
const ANALYSIS: Postponement = {
  reason: "The file is being analyzed.",
  delayMs: 5 * SECOND,
  maxAgeMs: 6 * HOUR,
  failure: "The file was not analyzed within six hours.",
};
/** The longer a run has waited for the model, the longer it waits again. */
const MODEL_DELAY_MS = { min: 15 * SECOND, max: 10 * MINUTE };
const CANCEL_CHECK_MS = 1 * SECOND;
const UNEXPECTED = "Something went wrong in the service.";

type Run = Row<"agent_task_runs">;
type Task = Row<"agent_tasks">;

type Running = Pick<StepContext, "actor" | "task" | "run">;

const isOver = ({ state }: Run): boolean => state !== "waiting" && state !== "running";

export function createRunExecutor(deps: AgentTaskDeps & StepServices) {
  const { database, clock, events, queue, publicUrl } = deps;
  const steps = createSteps(deps);

  const loadRun = (id: number): Promise<Run | undefined> => database.read.selectFrom("agent_task_runs").selectAll().where("id", "=", id).executeTakeFirst();

  /** Changes a run that is not over, in a transaction of its own. `work` runs in it first. Returns whether the run was changed. */
  const change = (task: Task, runId: number, set: (run: Run) => Partial<Run>, work: (tx: Tx) => Promise<boolean> = async () => true): Promise<boolean> =>
    database.write(async (tx) => {
      await publishTask(tx, events, task);
      if (!(await work(tx))) return false;
      const run = await tx.selectFrom("agent_task_runs").selectAll().where("id", "=", runId).executeTakeFirst();
      if (!run || isOver(run)) return false;
      await tx.updateTable("agent_task_runs").set(set(run)).where("id", "=", runId).execute();
      return true;
    });
  const withEntry = (run: Run, text: string): string => JSON.stringify([...parseLog(run), { time: iso(clock.now()), text }]);

  const end = (task: Task, job: Job, outcome: { state: "succeeded" } | { state: "failed"; error: string }) =>
    change(
      task,
      job.subject_id,
      (run) => ({
        ...outcome,
        waiting_for: null,
        finished_at: clock.now(),
        log: withEntry(run, outcome.state === "failed" ? `Failed: ${outcome.error}` : "Finished."),
      }),
      (tx) => queue.finish(tx, clock.now(), job),
    );

  /** Lets the run wait: its job ends, and another one is due later. */
  async function postpone(task: Task, job: Job, run: Run, { reason, delayMs, maxAgeMs, failure, since = run.created_at }: Postponement): Promise<void> {
    const now = clock.now();
    if (now - since > maxAgeMs) return void (await end(task, job, { state: "failed", error: failure }));
    const { organisation_id, account_id } = job;
    await change(
      task,
      run.id,
      (current) => ({ state: "waiting", waiting_for: reason, ...(current.waiting_for === reason ? {} : { log: withEntry(current, `Waits: ${reason}`) }) }),
      async (tx) => {
        if (!(await queue.finish(tx, now, job))) return false;
        await queue.enqueue(tx, now + delayMs, { kind: job.kind, subject_id: run.id, organisation_id, account_id });
        return true;
      },
    );
  }

  /** Loads what the run is about as the agent sees it now: an earlier step may have changed it. */
  async function loadAbout(actor: Actor, run: Run): Promise<FileFacts | null> {
    if (run.file_id === null) return null;
    const about = await loadFileFacts(database.read, actor, run.file_id, publicUrl);
    if (run.started_by_account_id !== null) about.facts.person = await loadName(run.started_by_account_id);
    return about;
  }

  /** Aborts once the run is canceled, or its task deleted, so that nobody waits for a model in vain. */
  function watchCanceled(runId: number): { signal: AbortSignal; stop(): void } {
    const canceled = new AbortController();
    const timer = setInterval(() => {
      loadRun(runId).then(
        (run) => (run && !isOver(run) ? undefined : canceled.abort()),
        // The next look may succeed.
        () => {},
      );
    }, CANCEL_CHECK_MS);
    return { signal: canceled.signal, stop: () => clearInterval(timer) };
  }

  async function performSteps({ actor, task, run }: Running, job: Job, signal: AbortSignal): Promise<void> {
    const log = async (text: string): Promise<void> => void (await change(task, run.id, (current) => ({ log: withEntry(current, text) })));
    for (const [index, step] of stepsOf(task).entries()) {
      if (index < run.steps_done) continue;
      signal.throwIfAborted();
      const context = { actor, task, run, about: await loadAbout(actor, run), signal, log };
      const { text, result } = await steps.perform(context, step, `agent-run-${run.id}-${index + 1}`);
      const addResult = (results: AgentRunResult[]) => JSON.stringify(result ? [...results, result] : results);
      const isRunning = await change(task, run.id, (current) => ({
        steps_done: index + 1,
        log: withEntry(current, text),
        results: addResult(parseResults(current)),
      }));
      if (!isRunning) return finishJob(job);
    }
    await end(task, job, { state: "succeeded" });
  }

  async function runSteps(running: Running, job: Job, signal: AbortSignal): Promise<void> {
    const canceled = watchCanceled(running.run.id);
    try {
      await performSteps(running, job, AbortSignal.any([signal, canceled.signal]));
    } catch (error) {
      if (signal.aborted) return await queue.release(clock.now(), job);
      if (canceled.signal.aborted) return await finishJob(job);
      if (!(error instanceof ModelError)) throw error;
      await waitForModel(running, job, error);
    } finally {
      canceled.stop();
    }
  }

  /** Lets the run ask again later, so that others run meanwhile; it fails if asking again does not help. */
  async function waitForModel({ task, run }: Running, job: Job, { message, retry }: ModelError): Promise<void> {
    if (!retry) return void (await end(task, job, { state: "failed", error: message }));
    const since = run.started_at ?? run.created_at;
    const waited = Math.min(Math.max(clock.now() - since, MODEL_DELAY_MS.min), MODEL_DELAY_MS.max);
    const delayMs = Math.max(waited, Math.min(retry.afterMs, HOUR));
    await postpone(task, job, run, { reason: message, delayMs, maxAgeMs: HOUR, failure: `${message} It was asked for an hour.`, since });
  }

  const finishJob = (job: Job): Promise<void> => database.write(async (tx) => void (await queue.finish(tx, clock.now(), job)));

  async function execute(job: Job, task: Task, run: Run, signal: AbortSignal): Promise<void> {
    if (job.isExhausted) return void (await end(task, job, { state: "failed", error: "The service stopped at each attempt." }));
    const agent = await findAgentActor(database.read, task.agent_id);
    if (!agent) return void (await end(task, job, { state: "failed", error: "The agent no longer exists." }));
    if (agent.isPaused) return postpone(task, job, run, PAUSED);
    const { actor } = agent;
    const isAnalysisNeeded = stepsOf(task).slice(run.steps_done).some(stepNeedsAnalysis);
    if (isAnalysisNeeded && (await loadAbout(actor, run))?.isPending) return postpone(task, job, run, ANALYSIS);
    const started = (current: Run) => ({ state: "running" as const, waiting_for: null, started_at: current.started_at ?? clock.now() });
    const markActive = async (tx: Tx) => {
      await tx.updateTable("accounts").set({ last_seen_at: clock.now() }).where("id", "=", task.agent_id).execute();
      return true;
    };
    const current = (await change(task, run.id, started, markActive)) ? await loadRun(run.id) : undefined;
    if (!current) return finishJob(job);
    await runSteps({ actor, task, run: current }, job, signal);
  }

  const loadName = async (accountId: number): Promise<string> =>
    (await database.read.selectFrom("accounts").select("username").where("id", "=", accountId).executeTakeFirstOrThrow()).username;

  return async (job: Job, signal: AbortSignal): Promise<void> => {
    const run = await loadRun(job.subject_id);
    const task = run && (await database.read.selectFrom("agent_tasks").selectAll().where("id", "=", run.task_id).executeTakeFirst());
    if (!task || isOver(run)) return finishJob(job);
    try {
      await execute(job, task, run, signal);
    } catch (error) {
      // What a service refuses, it refuses again.
      if (error instanceof HttpError && error.status < 500) return void (await end(task, job, { state: "failed", error: error.message }));
      const outcome = await database.write((tx) => queue.fail(tx, clock.now(), job, String(error), true));
      const text = outcome === "ended" ? `Failed: ${UNEXPECTED}` : `${UNEXPECTED} It is tried again.`;
      if (outcome !== "lost")
        await change(task, run.id, (current) => ({
          log: withEntry(current, text),
          ...(outcome === "ended" ? { state: "failed", error: UNEXPECTED, finished_at: clock.now() } : {}),
        }));
      throw error;
    }
  };
}
