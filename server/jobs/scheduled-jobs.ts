/** Runs scheduled jobs every hour: each in one of the processes that share the database, except those that concern a machine's own disk. */
import type { Database } from "../db/database.ts";
import { databaseNow } from "../db/engine-sql.ts";
import { HOUR, MINUTE } from "../lib/clock.ts";

export interface ScheduledJob {
  (): Promise<unknown>;
  /** Every process runs it, because it works on the machine's own files. */
  isOnEachMachine?: true;
}
export type ScheduledJobs = Record<string, ScheduledJob>;

export const onEachMachine = (job: () => Promise<unknown>): ScheduledJob => Object.assign(() => job(), { isOnEachMachine: true as const });

/** A run counts as an hour ago from then on, because timers are not exact. */
const TOLERANCE_SHARE = 0.1;

/**
 * Runs the jobs one after the other, soon after the start and then every hour. A job that another process has started in the last hour is skipped. If that
 * process dies meanwhile, the next hour's run does the rest. Returns a function that stops and waits for the running job.
 */
export function startScheduler(
  database: Database,
  jobs: ScheduledJobs,
  warn: (error: unknown, message: string) => void,
  { initialDelayMs = MINUTE, intervalMs = HOUR } = {},
): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    for (const [name, job] of Object.entries(jobs)) {
      if (isStopped) return;
      try {
        if (job.isOnEachMachine || (await claimRun(database, name, intervalMs * (1 - TOLERANCE_SHARE)))) await job();
      } catch (error) {
        warn(error, `${name}: failed; it is retried in an hour`);
      }
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

/** Returns whether nobody has started the job in the last `intervalMs`, and records that it starts now. By the clock of the database. */
const claimRun = (database: Database, name: string, intervalMs: number): Promise<boolean> =>
  database.write(async (tx) => {
    const now = databaseNow(database.engine, Date.now());
    const claimed = await tx
      .insertInto("scheduled_runs")
      .values({ name, started_at: now })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ started_at: now })
          .where(({ eb, ref }) => eb(ref("scheduled_runs.started_at"), "<=", eb(now, "-", intervalMs))),
      )
      .executeTakeFirst();
    return Number(claimed.numInsertedOrUpdatedRows ?? 0) > 0;
  });
