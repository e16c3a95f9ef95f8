/** Processes one kind of job, one at a time, with a lease that is renewed while a job runs. */
import { jobs } from "../lib/instrumentation.ts";
import type { Job, Queue } from "./queue.ts";

export interface WorkerOptions {
  queue: Queue;
  clock: { now(): number };
  kind: string;
  /** Lease duration: another worker takes over a dead worker's job after this time. */
  leaseMs: number;
  /** Interval for finding jobs without a wake-up: retries and other processes' uploads. */
  pollIntervalMs: number;
  /** `signal` aborts when the lease is lost or the worker stops; `run` must then end at once. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

export interface Worker {
  /** Checks for jobs now. */
  wake(): void;
  /** Aborts the running job and resolves once `run` has ended. Unless `run` releases the job, another worker continues it when the lease expires. */
  stop(): Promise<void>;
}

export function startWorker({ queue, clock, kind, leaseMs, pollIntervalMs, run, onError }: WorkerOptions): Worker {
  const stopping = new AbortController();
  let draining: Promise<void> | null = null;
  let wakeRequested = false;

  async function runJob(job: Job): Promise<void> {
    const leaseLost = new AbortController();
    let leaseUntil = performance.now() + leaseMs;
    // A database that restarts costs the lease only if it is away for longer than the lease lasts.
    const renewal = setInterval(() => {
      const renewedUntil = performance.now() + leaseMs;
      queue.renew(clock.now(), job, leaseMs).then(
        (renewed) => (renewed ? (leaseUntil = renewedUntil) : leaseLost.abort()),
        () => performance.now() + leaseMs / 6 < leaseUntil || leaseLost.abort(),
      );
    }, leaseMs / 6);
    try {
      const report = { kind: job.kind, jobId: job.id, subjectId: job.subject_id, attempt: job.attempts, startedAt: performance.now() };
      await jobs.tracePromise(() => run(job, AbortSignal.any([stopping.signal, leaseLost.signal])), report);
    } finally {
      clearInterval(renewal);
    }
  }

  async function drain(): Promise<void> {
    for (;;) {
      wakeRequested = false;
      const job = stopping.signal.aborted ? null : await queue.claim(clock.now(), kind, leaseMs);
      if (job) await runJob(job);
      else if (!wakeRequested) return;
    }
  }

  function wake(): void {
    wakeRequested = true;
    draining ??= drain()
      .catch(onError)
      .finally(() => (draining = null));
  }

  const timer = setInterval(wake, pollIntervalMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await draining;
    },
  };
}
