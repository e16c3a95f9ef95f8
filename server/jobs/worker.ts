/** Works through one kind of job: one at a time, with a lease that is renewed while it lasts. */
import type { Job, Queue } from "./queue.ts";

export interface WorkerOptions {
  queue: Queue;
  clock: { now(): number };
  kind: string;
  /** A worker that died is replaced after this long. */
  leaseMs: number;
  /** How often to look for work that nobody announced: retries, another process's uploads. */
  lookEveryMs: number;
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

export function startWorker({ queue, clock, kind, leaseMs, lookEveryMs, run, onError }: WorkerOptions): Worker {
  const stopping = new AbortController();
  let working: Promise<void> | null = null;
  let again = false;

  async function workOn(job: Job): Promise<void> {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      queue.renew(clock.now(), job, leaseMs).then(
        (mine) => mine || lost.abort(),
        () => lost.abort(),
      );
    }, leaseMs / 3);
    try {
      await run(job, AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewal);
    }
  }

  async function drain(): Promise<void> {
    for (;;) {
      again = false;
      const job = stopping.signal.aborted ? null : await queue.claim(clock.now(), kind, leaseMs);
      if (job) await workOn(job);
      else if (!again) return;
    }
  }

  function wake(): void {
    again = true;
    working ??= drain()
      .catch(onError)
      .finally(() => (working = null));
  }

  const timer = setInterval(wake, lookEveryMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await working;
    },
  };
}
