/** Durable job queue in the database: claim with a lease, retry with backoff, survive a killed process. */
import type { Database } from "../db/database.ts";
import { lockRows } from "../db/engine-sql.ts";
import type { Row, Tx } from "../db/schema.ts";
import { newSecret } from "../lib/crypto.ts";

/** `isExhausted`: the workers of all allowed attempts died without reporting; the job is claimed once more only to be marked as failed. */
export type Job = Row<"jobs"> & { lease_token: string; isExhausted: boolean };

/** Delays before the second, third … attempt. */
const BACKOFF_MS = [5_000, 60_000, 600_000];
const MAX_ATTEMPTS = BACKOFF_MS.length + 1;

export interface Queue {
  /** Adds a job in the caller's transaction, so that it exists if and only if the change is committed. */
  enqueue(tx: Tx, now: number, kind: string, subjectId: number): Promise<void>;
  /** Claims the oldest due job, or one whose lease expired because its worker died; null if there is none. */
  claim(now: number, kind: string, leaseMs: number): Promise<Job | null>;
  /** Extends the lease. Returns false if another worker has the lease: the caller must stop. */
  renew(now: number, job: Job, leaseMs: number): Promise<boolean>;
  /** Completes the job inside the transaction that stores its result. Returns false if the lease was lost: the caller must roll back. */
  finish(tx: Tx, now: number, job: Job): Promise<boolean>;
  /** Makes every running job claimable at once. Only for when all workers are known to be dead. */
  reclaim(now: number): Promise<void>;
  /** Releases the job unchanged, so that another worker can claim it at once. */
  release(now: number, job: Job): Promise<void>;
  /** Schedules a retry; after the last attempt, or without `retry`, marks the job as failed. "lost": another worker has the lease, so report nothing. */
  fail(tx: Tx, now: number, job: Job, failure: string, retry: boolean): Promise<"requeued" | "ended" | "lost">;
}

export function createQueue(database: Database): Queue {
  return {
    async enqueue(tx, now, kind, subjectId) {
      await tx.insertInto("jobs").values({ kind, subject_id: subjectId, run_at: now, created_at: now }).execute();
    },
    claim: (now, kind, leaseMs) =>
      database.write(async (tx) => {
        const due = tx
          .selectFrom("jobs")
          .select("id")
          .where("kind", "=", kind)
          .where(({ or, and, eb }) =>
            or([and([eb("state", "=", "waiting"), eb("run_at", "<=", now)]), and([eb("state", "=", "running"), eb("lease_until", "<", now)])]),
          )
          .orderBy("run_at")
          .orderBy("id")
          .limit(1);
        const next = await lockRows(due, database.engine, "skipLocked").executeTakeFirst();
        if (!next) return null;
        const token = newSecret();
        const job = await tx
          .updateTable("jobs")
          .set((eb) => ({ state: "running", attempts: eb("attempts", "+", 1), lease_until: now + leaseMs, lease_token: token }))
          .where("id", "=", next.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return { ...job, lease_token: token, isExhausted: job.attempts > MAX_ATTEMPTS };
      }),
    renew: (now, job, leaseMs) =>
      database.write(async (tx) => {
        const renewed = await tx
          .updateTable("jobs")
          .set({ lease_until: now + leaseMs })
          .where("id", "=", job.id)
          .where("lease_token", "=", job.lease_token)
          .where("state", "=", "running")
          .executeTakeFirst();
        return Number(renewed.numUpdatedRows) === 1;
      }),
    async finish(tx, now, job) {
      const done = await tx
        .updateTable("jobs")
        .set({ state: "done", done_at: now, lease_until: null, failure: null })
        .where("id", "=", job.id)
        .where("lease_token", "=", job.lease_token)
        .executeTakeFirst();
      return Number(done.numUpdatedRows) === 1;
    },
    reclaim: (now) =>
      database.write(async (tx) => {
        await tx.updateTable("jobs").set({ state: "waiting", run_at: now, lease_until: null, lease_token: null }).where("state", "=", "running").execute();
      }),
    release: (now, job) =>
      database.write(async (tx) => {
        await tx
          .updateTable("jobs")
          .set((eb) => ({ state: "waiting", run_at: now, attempts: eb("attempts", "-", 1), lease_until: null, lease_token: null }))
          .where("id", "=", job.id)
          .where("lease_token", "=", job.lease_token)
          .where("state", "=", "running")
          .execute();
      }),
    async fail(tx, now, job, failure, retry) {
      const delay = retry ? BACKOFF_MS[job.attempts - 1] : undefined;
      const changed = await tx
        .updateTable("jobs")
        .set(
          delay === undefined
            ? { state: "failed", done_at: now, failure, lease_until: null }
            : { state: "waiting", run_at: now + delay, failure, lease_until: null, lease_token: null },
        )
        .where("id", "=", job.id)
        .where("lease_token", "=", job.lease_token)
        .executeTakeFirst();
      if (Number(changed.numUpdatedRows) === 0) return "lost";
      return delay === undefined ? "ended" : "requeued";
    },
  };
}
