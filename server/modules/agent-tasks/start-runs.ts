/** Executes runs, one at a time and beside it one that asks a model, and starts those whose time has come. */
import { startWorker } from "../../jobs/worker.ts";
import { runForCaller } from "../../lib/current-caller.ts";
import { SECOND } from "../../lib/clock.ts";
import { type AgentTaskDeps, MODEL_RUN_JOB, RUN_JOB, type StepServices } from "./deps.ts";
import { createRunExecutor } from "./execute-run.ts";
import { createTriggers } from "./triggers.ts";

/** Most steps take milliseconds; the lease of a run that takes longer, as with a model, is renewed. */
const LEASE_MS = 15 * SECOND;

interface RunningOptions {
  onError(error: unknown): void;
  /** Between two looks for runs and due tasks. */
  intervalMs?: number | undefined;
  leaseMs?: number | undefined;
}

/** Returns a function that stops; a run that is interrupted goes on in another process, or after the next start. */
export function startAgentRuns(
  deps: AgentTaskDeps & StepServices,
  { onError, intervalMs = 3 * SECOND, leaseMs = LEASE_MS }: RunningOptions,
): () => Promise<void> {
  const execute = createRunExecutor(deps);
  const triggers = createTriggers(deps);
  const workers = [RUN_JOB, MODEL_RUN_JOB].map((kind) =>
    startWorker({
      queue: deps.queue,
      clock: deps.clock,
      kind,
      leaseMs,
      pollIntervalMs: intervalMs,
      run(job, signal) {
        const caller = { accountId: job.account_id, organisationId: job.organisation_id, isAgent: true, runId: job.subject_id };
        return runForCaller(caller, () => execute(job, signal)).catch(onError);
      },
      onError,
    }),
  );
  let looking: Promise<void> | null = null;
  async function look(): Promise<void> {
    while (await triggers.startDue());
    for (const worker of workers) worker.wake();
  }
  const timer = setInterval(
    () =>
      (looking ??= look()
        .catch(onError)
        .finally(() => (looking = null))),
    intervalMs,
  );
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
    await Promise.all(workers.map((worker) => worker.stop()));
  };
}
