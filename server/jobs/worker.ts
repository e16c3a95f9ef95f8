/** Works through one kind of job: one at a time, with a lease that is renewed while it lasts. */
import type { Job, Queue } from "./queue.ts";

export interface WorkerOptions {
  queue: Queue;
  clock: { now(): number };
  kind: string;
  /** A worker that died is replaced after this long. */
  leaseMs: number;
  /** How often to look for work that nobody announced: retries, another process's uploads. */
  pollIntervalMs: number;
  /** `signal` ends when the lease is lost or the worker stops: give up at once. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

export interface Worker {
  /** There may be work: look now. */
  wake(): void;
  /** Stops after aborting what is under way; its lease runs out and somebody else goes on. */
  stop(): Promise<void>;
}

export function startWorker({ queue, clock, kind, leaseMs, pollIntervalMs, run, onError }: WorkerOptions): Worker {
  const stopping = new AbortController();
  let draining: Promise<void> | null = null;
  let wakeRequested = false;

  async function runJob(job: Job): Promise<void> {
    const leaseLost = new AbortController();
    const renewal = setInterval(() => {
      queue.renew(clock.now(), job, leaseMs).then(
        (renewed) => renewed || leaseLost.abort(),
        () => leaseLost.abort(),
      );
    }, leaseMs / 3);
    try {
      await run(job, AbortSignal.any([stopping.signal, leaseLost.signal]));
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
