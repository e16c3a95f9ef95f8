/** Durable job queue in the database: claim by turns with a lease, retry with backoff, survive a killed process. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { acquireAdvisoryLock, lockRows } from "../db/engine-sql.ts";
import type { Db, Row, Tx } from "../db/schema.ts";
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
  /** Returns whether at least `count` jobs of the account and of these kinds wait. */
  hasWaiting(tx: Tx, accountId: number, kinds: readonly string[], count: number): Promise<boolean>;
  /** Returns the accounts with jobs that wait and are due since `now` or before. */
  waitingOwners(now: number, kind: string): Promise<JobOwner[]>;
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
  const jobsInState = (db: Db, kind: string, state: Row<"jobs">["state"]) => db.selectFrom("jobs").where("kind", "=", kind).where("state", "=", state);

  /** Returns the accounts with waiting jobs that are due. Reads a few rows of an index for each account, however many jobs wait. */
  async function loadWaitingOwners(db: Db, now: number, kind: string): Promise<JobOwner[]> {
    const waiting = sql`from jobs where kind = ${kind} and state = 'waiting'`;
    const oldest = sql`${waiting} and account_id = accounts.account_id order by run_at limit 1`;
    const { rows } = await sql<JobOwner>`with recursive accounts (account_id) as (
        select min(account_id) ${waiting}
        union all
        select (select min(account_id) ${waiting} and account_id > accounts.account_id) from accounts where accounts.account_id is not null
      ),
      owners as (select (select organisation_id ${oldest}) as organisation_id, account_id, (select run_at ${oldest}) as run_at from accounts)
      select organisation_id, account_id from owners where run_at <= ${now}`.execute(db);
    return rows;
  }

  /** Returns the accounts with due jobs, in the order of their turns. */
  async function loadCandidates(tx: Tx, now: number, kind: string): Promise<JobOwner[]> {
    const running = await jobsInState(tx, kind, "running").select(["organisation_id", "account_id", "lease_until"]).execute();
    const [abandoned, active] = [running.filter(({ lease_until }) => lease_until! < now), running.filter(({ lease_until }) => lease_until! >= now)];
    const owners = new Map([...(await loadWaitingOwners(tx, now, kind)), ...abandoned].map((owner) => [owner.account_id, owner]));
    if (owners.size < 2) return [...owners.values()];
    const turns = await tx.selectFrom("job_turns").selectAll().where("kind", "=", kind).execute();
    const count = (keys: number[]) => new Map([...Map.groupBy(keys, (key) => key)].map(([key, { length }]) => [key, length]));
    const organisationRunning = count(active.map(({ organisation_id }) => organisation_id));
    const accountRunning = count(active.map(({ account_id }) => account_id));
    const accountTurn = new Map(turns.map(({ account_id, turn }) => [account_id, turn]));
    const organisationTurn = new Map<number, number>();
    for (const { organisation_id, turn } of turns) organisationTurn.set(organisation_id, Math.max(turn, organisationTurn.get(organisation_id) ?? 0));
    const candidates = [...owners.values()].map(({ organisation_id, account_id }): Candidate => ({
      organisation_id,
      account_id,
      organisationRunning: organisationRunning.get(organisation_id) ?? 0,
      accountRunning: accountRunning.get(account_id) ?? 0,
      organisationTurn: organisationTurn.get(organisation_id) ?? 0,
      accountTurn: accountTurn.get(account_id) ?? 0,
    }));
    return candidates.sort(compareTurns);
  }

  /** Locks and returns the account's oldest due job; undefined if other processes have locked all of them. */
  async function lockOldestJob(tx: Tx, now: number, kind: string, accountId: number): Promise<{ id: number } | undefined> {
    const lockFirst = (jobs: ReturnType<typeof jobsInState>) =>
      lockRows(
        jobs.select("id").where("account_id", "=", accountId).orderBy("run_at").orderBy("id").limit(1),
        database.engine,
        "skipLocked",
      ).executeTakeFirst();
    // Jobs of dead workers were claimed before those that wait, so they are older.
    return (
      (await lockFirst(jobsInState(tx, kind, "running").where("lease_until", "<", now))) ??
      lockFirst(jobsInState(tx, kind, "waiting").where("run_at", "<=", now))
    );
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
    async hasWaiting(tx, accountId, kinds, count) {
      const jobs = tx.selectFrom("jobs").select("id").where("state", "=", "waiting").where("account_id", "=", accountId).where("kind", "in", kinds);
      return (
        (await jobs
          .limit(1)
          .offset(count - 1)
          .executeTakeFirst()) !== undefined
      );
    },
    waitingOwners: (now, kind) => loadWaitingOwners(database.read, now, kind),
    claim: (now, kind, leaseMs) =>
      database.write(async (tx) => {
        // Turns of several processes would overlap otherwise.
        await acquireAdvisoryLock(tx, database.engine, `turns of ${kind}`);
        for (const { account_id } of await loadCandidates(tx, now, kind)) {
          const next = await lockOldestJob(tx, now, kind, account_id);
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
