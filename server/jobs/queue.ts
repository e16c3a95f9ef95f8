/** Durable job queue in the database: claim by turns with a lease, retry with backoff, survive a killed process. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { acquireAdvisoryLock, lockRows } from "../db/engine-sql.ts";
import type { Row, Tx } from "../db/schema.ts";
import { newSecret } from "../lib/crypto.ts";

/** `isExhausted`: the workers of all allowed attempts died without reporting; the job is claimed once more only to be marked as failed. */
export type Job = Row<"jobs"> & { lease_token: string; isExhausted: boolean };

/** Delays before the second, third … attempt. */
const BACKOFF_MS = [5_000, 60_000, 600_000];
const MAX_ATTEMPTS = BACKOFF_MS.length + 1;

/** Who a job is for. */
export type JobOwner = Pick<Row<"jobs">, "organisation_id" | "account_id">;

/** An account with due jobs, and what decides whose turn it is. */
export interface Candidate extends JobOwner {
  /** Jobs of the organization and of the account that are running now. */
  organisationRunning: number;
  accountRunning: number;
  /** The last turns of the organization and of the account; 0: none yet. */
  organisationTurn: number;
  accountTurn: number;
}

/**
 * Compares whose turn is first: the organization with the fewest running jobs, among these the one that has waited longest for a turn, and within it
 * likewise by account.
 */
export const compareTurns = (a: Candidate, b: Candidate): number =>
  a.organisationRunning - b.organisationRunning ||
  a.organisationTurn - b.organisationTurn ||
  a.organisation_id - b.organisation_id ||
  a.accountRunning - b.accountRunning ||
  a.accountTurn - b.accountTurn ||
  a.account_id - b.account_id;

export interface Queue {
  /** Adds a job in the caller's transaction, so that it exists if and only if the change is committed. */
  enqueue(tx: Tx, now: number, job: JobOwner & Pick<Row<"jobs">, "kind" | "subject_id">): Promise<void>;
  /** Returns how many jobs of the account wait, of all kinds. */
  countWaiting(tx: Tx, accountId: number): Promise<number>;
  /**
   * Claims the oldest due job of the account whose turn it is (`compareTurns`). A job is also due if its lease expired because its worker died. Returns
   * null if no job is due.
   */
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
  const dueJobs = (tx: Tx, now: number, kind: string) =>
    tx
      .selectFrom("jobs")
      .where("kind", "=", kind)
      .where(({ or, and, eb }) =>
        or([and([eb("state", "=", "waiting"), eb("run_at", "<=", now)]), and([eb("state", "=", "running"), eb("lease_until", "<", now)])]),
      );

  /** Returns the accounts with due jobs, in the order of their turns. */
  async function loadCandidates(tx: Tx, now: number, kind: string): Promise<Candidate[]> {
    const owners = await dueJobs(tx, now, kind).select(["organisation_id", "account_id"]).distinct().execute();
    if (owners.length < 2) return owners.map((owner) => ({ ...owner, organisationRunning: 0, accountRunning: 0, organisationTurn: 0, accountTurn: 0 }));
    const running = await tx
      .selectFrom("jobs")
      .select(["organisation_id", "account_id", ({ fn }) => fn.countAll<number>().as("count")])
      .where("kind", "=", kind)
      .where("state", "=", "running")
      .where("lease_until", ">=", now)
      .groupBy(["organisation_id", "account_id"])
      .execute();
    const turns = await tx.selectFrom("job_turns").selectAll().where("kind", "=", kind).execute();
    const candidates = owners.map((owner): Candidate => {
      const isOfOrganisation = (other: JobOwner) => other.organisation_id === owner.organisation_id;
      const isOfAccount = (other: JobOwner) => isOfOrganisation(other) && other.account_id === owner.account_id;
      const countRunning = (isOfOwner: (other: JobOwner) => boolean) => running.filter(isOfOwner).reduce((sum, { count }) => sum + count, 0);
      const lastTurn = (isOfOwner: (other: JobOwner) => boolean) => Math.max(0, ...turns.filter(isOfOwner).map(({ turn }) => turn));
      return {
        ...owner,
        organisationRunning: countRunning(isOfOrganisation),
        accountRunning: countRunning(isOfAccount),
        organisationTurn: lastTurn(isOfOrganisation),
        accountTurn: lastTurn(isOfAccount),
      };
    });
    return candidates.sort(compareTurns);
  }

  async function recordTurn(tx: Tx, kind: string, { organisation_id, account_id }: JobOwner): Promise<void> {
    const turn = sql<number>`(select coalesce(max(turn), 0) + 1 from job_turns)`;
    await tx
      .insertInto("job_turns")
      .values({ kind, organisation_id, account_id, turn })
      .onConflict((conflict) => conflict.columns(["kind", "account_id"]).doUpdateSet({ organisation_id, turn }))
      .execute();
  }

  return {
    async enqueue(tx, now, job) {
      await tx
        .insertInto("jobs")
        .values({ ...job, run_at: now, created_at: now })
        .execute();
    },
    async countWaiting(tx, accountId) {
      const { count } = await tx
        .selectFrom("jobs")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("state", "=", "waiting")
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      return count;
    },
    claim: (now, kind, leaseMs) =>
      database.write(async (tx) => {
        // Turns of several processes would overlap otherwise.
        await acquireAdvisoryLock(tx, database.engine, `turns of ${kind}`);
        for (const { organisation_id, account_id } of await loadCandidates(tx, now, kind)) {
          const oldest = dueJobs(tx, now, kind)
            .select("id")
            .where("organisation_id", "=", organisation_id)
            .where("account_id", "=", account_id)
            .orderBy("run_at")
            .orderBy("id")
            .limit(1);
          const next = await lockRows(oldest, database.engine, "skipLocked").executeTakeFirst();
          if (!next) continue;
          const token = newSecret();
          const job = await tx
            .updateTable("jobs")
            .set((eb) => ({ state: "running", attempts: eb("attempts", "+", 1), lease_until: now + leaseMs, lease_token: token }))
            .where("id", "=", next.id)
            .returningAll()
            .executeTakeFirstOrThrow();
          await recordTurn(tx, kind, job);
          return { ...job, lease_token: token, isExhausted: job.attempts > MAX_ATTEMPTS };
        }
        return null;
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
