/** Reads documents that were uploaded before the service read their text: one at a time, and only while no upload waits for processing. */
import { setTimeout as pause } from "node:timers/promises";
import type { Job, Queue } from "../../jobs/queue.ts";
import { startWorker } from "../../jobs/worker.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { MEDIA_JOB, TEXT_JOB } from "./uploads.ts";

interface TextJobsOptions {
  queue: Queue;
  clock: Clock;
  run(job: Job, signal: AbortSignal): Promise<void>;
  onError(error: unknown): void;
}

export function createTextJobs({ queue, clock, run, onError }: TextJobsOptions) {
  return startWorker({
    queue,
    clock,
    kind: TEXT_JOB,
    leaseMs: MINUTE,
    pollIntervalMs: 10 * SECOND,
    onError,
    async run(job, signal) {
      while ((await queue.waitingOwners(clock.now(), MEDIA_JOB)).length > 0 && !signal.aborted) await pause(SECOND, null, { signal }).catch(() => {});
      if (signal.aborted) return await queue.release(clock.now(), job);
      await run(job, signal);
    },
  });
}
