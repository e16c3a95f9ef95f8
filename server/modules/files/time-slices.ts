/** Bounds how long media jobs keep their workers while somebody else waits: the longest one then gives way, and goes on with the long jobs. */
import type { Job, JobOwner, Queue } from "../../jobs/queue.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";

/**
 * How long a job keeps its worker although others wait: long enough for a recording of some hours if it is all that its account has to process, less if the
 * account has more waiting, and least for an account that has another worker too.
 */
const ONLY_JOB_MS = 3 * MINUTE;
const ONE_OF_MANY_MS = 45 * SECOND;
const SECOND_WORKER_MS = 10 * SECOND;
/** A job that waits for longer than this was not taken by a free worker. */
const WAITED_MS = 3 * SECOND;

interface RunningJob {
  job: Job;
  startedAt: number;
  givesWay: AbortController;
}

interface TimeSlicesOptions {
  queue: Pick<Queue, "waitingOwners">;
  clock: { now(): number };
  onError(error: unknown): void;
  /** Milliseconds between two looks at who waits. */
  checkMs?: number;
}

export function createTimeSlices({ queue, clock, onError, checkMs = SECOND }: TimeSlicesOptions) {
  /** In the order in which they started. */
  const running = new Set<RunningJob>();

  function sliceMs({ job }: RunningJob, waiting: readonly JobOwner[]): number {
    const first = [...running].find((other) => other.job.account_id === job.account_id);
    if (first?.job.id !== job.id) return SECOND_WORKER_MS;
    return waiting.some(({ account_id }) => account_id === job.account_id) ? ONE_OF_MANY_MS : ONLY_JOB_MS;
  }

  async function check(): Promise<void> {
    const now = clock.now();
    const [candidate] = [...running].filter(({ startedAt }) => now - startedAt >= SECOND_WORKER_MS);
    if (!candidate) return;
    const waiting = await queue.waitingOwners(now - WAITED_MS, candidate.job.kind);
    const isOver = (one: RunningJob): boolean =>
      now - one.startedAt >= sliceMs(one, waiting) && waiting.some(({ account_id }) => account_id !== one.job.account_id);
    const next = [...running].find(isOver);
    // It leaves at once, so that the next check does not choose another job for the same wait.
    if (next && running.delete(next)) next.givesWay.abort();
  }

  let checking: Promise<void> | null = null;
  const timer = setInterval(() => {
    checking ??= check()
      .catch(onError)
      .finally(() => (checking = null));
  }, checkMs);
  timer.unref();

  return {
    /** Runs `work` with a signal that aborts once the job has to give way to another account's. */
    async run<T>(job: Job, work: (givesWay: AbortSignal) => Promise<T>): Promise<T> {
      const entry: RunningJob = { job, startedAt: clock.now(), givesWay: new AbortController() };
      running.add(entry);
      try {
        return await work(entry.givesWay.signal);
      } finally {
        running.delete(entry);
      }
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await checking;
    },
  };
}
