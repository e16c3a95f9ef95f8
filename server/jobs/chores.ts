/** Work that comes round every hour in each process; two processes at it at once do no harm. */
import { HOUR, MINUTE } from "../lib/clock.ts";

export type ScheduledJobs = Record<string, () => Promise<unknown>>;

/** Runs them one after the other soon after the start and then every hour; the returned function stops and waits for what is under way. */
export function startScheduler(
  jobs: ScheduledJobs,
  warn: (error: unknown, message: string) => void,
  { soonMs = MINUTE, everyMs = HOUR } = {},
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    for (const [name, work] of Object.entries(jobs)) {
      if (stopped) return;
      await work().catch((error: unknown) => warn(error, `${name}: did not work; the next try is in an hour`));
    }
  };
  // A run that takes longer than the pause is not overtaken by the next one.
  const enqueueRun = () => void (running = running.then(run));
  const initialTimer = setTimeout(enqueueRun, soonMs).unref();
  const interval = setInterval(enqueueRun, everyMs).unref();
  return async () => {
    stopped = true;
    clearTimeout(initialTimer);
    clearInterval(interval);
    await running;
  };
}
