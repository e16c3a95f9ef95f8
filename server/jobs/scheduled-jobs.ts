/** Runs scheduled jobs every hour in each process; two processes may safely run a job at the same time. */
import { HOUR, MINUTE } from "../lib/clock.ts";

export type ScheduledJobs = Record<string, () => Promise<unknown>>;

/** Runs the jobs one after the other, soon after the start and then every hour. Returns a function that stops and waits for the running job. */
export function startScheduler(
  jobs: ScheduledJobs,
  warn: (error: unknown, message: string) => void,
  { initialDelayMs = MINUTE, intervalMs = HOUR } = {},
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    for (const [name, work] of Object.entries(jobs)) {
      if (isStopped) return;
      await work().catch((error: unknown) => warn(error, `${name}: failed; it is retried in an hour`));
    }
  };
  // Chains runs, so that a run longer than the interval is not overtaken by the next one.
  const enqueueRun = () => void (running = running.then(run));
  const initialTimer = setTimeout(enqueueRun, initialDelayMs).unref();
  const interval = setInterval(enqueueRun, intervalMs).unref();
  return async () => {
    isStopped = true;
    clearTimeout(initialTimer);
    clearInterval(interval);
    await running;
  };
}
