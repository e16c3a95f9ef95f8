/** Deletes data past its retention period. Concurrent runs in several processes are safe. */
import { sql, type Expression, type SqlBool } from "kysely";
import { AUDIT_RETENTION_DAYS } from "../../contract/limits.ts";
import { affectedRows, runInBatches, type BatchWork } from "../db/batches.ts";
import type { Database } from "../db/database.ts";
import type { Row } from "../db/schema.ts";
import { DAY, type Clock } from "../lib/clock.ts";

/** Ages in milliseconds. */
export interface RetentionPeriods {
  eventsMs: number;
  /** Number of newest events per topic that are kept regardless of age. */
  eventsPerTopic: number;
  idempotencyMs: number;
  throttledAttemptsMs: number;
  /** For jobs that are done or have failed permanently. */
  jobsMs: number;
  auditMs: number;
  sessionIdleMs: number;
  sessionMs: number;
}
export const RETENTION = {
  eventsMs: 30 * DAY,
  eventsPerTopic: 1_000,
  idempotencyMs: DAY,
  throttledAttemptsMs: DAY,
  jobsMs: 30 * DAY,
  auditMs: AUDIT_RETENTION_DAYS * DAY,
};

export interface RetentionDeps {
  database: Database;
  clock: Clock;
}

/** Rows of a table with ids that `isExpired` selects. */
function expiredRows(table: "attempts" | "jobs" | "audit" | "sessions", isExpired: Expression<SqlBool>): BatchWork<number> {
  return {
    find: async (db, limit) =>
      (await sql<{ id: number }>`select id from ${sql.table(table)} where ${isExpired} limit ${sql.lit(limit)}`.execute(db)).rows.map(({ id }) => id),
    change: async (tx, ids) =>
      Number((await sql`delete from ${sql.table(table)} where id in (${sql.join(ids)}) and ${isExpired}`.execute(tx)).numAffectedRows ?? 0),
  };
}

const oldEvents = (before: number, keptPerTopic: number): BatchWork<{ topic: string; seq: number }> => ({
  find: (db, limit) =>
    db
      .selectFrom("events")
      .innerJoin("topics", "topics.topic", "events.topic")
      .select(["events.topic", "events.seq"])
      .where("events.created_at", "<", before)
      .where(sql<boolean>`events.seq <= topics.seq - ${keptPerTopic}`)
      .limit(limit)
      .execute(),
  // Events never become newer, so the condition needs no second look.
  change: async (tx, rows) =>
    affectedRows(
      await tx
        .deleteFrom("events")
        .where(sql<boolean>`(topic, seq) in (${sql.join(rows.map(({ topic, seq }) => sql`(${topic}, ${sql.lit(seq)})`))})`)
        .executeTakeFirst(),
    ),
});

const oldIdempotencyKeys = (before: number): BatchWork<Pick<Row<"idempotency">, "account_id" | "operation" | "key">> => ({
  find: (db, limit) => db.selectFrom("idempotency").select(["account_id", "operation", "key"]).where("created_at", "<", before).limit(limit).execute(),
  change: async (tx, rows) =>
    affectedRows(
      await tx
        .deleteFrom("idempotency")
        .where("created_at", "<", before)
        .where(sql<boolean>`(account_id, operation, key) in (${sql.join(rows.map((row) => sql`(${sql.lit(row.account_id)}, ${row.operation}, ${row.key})`))})`)
        .executeTakeFirst(),
    ),
});

const expiredTickets = (now: number): BatchWork<string> => ({
  find: async (db, limit) =>
    (await db.selectFrom("live_tickets").select("token_hash").where("expires_at", "<=", now).limit(limit).execute()).map((row) => row.token_hash),
  change: async (tx, hashes) => affectedRows(await tx.deleteFrom("live_tickets").where("token_hash", "in", hashes).executeTakeFirst()),
});

/** Deletes expired rows in small transactions, and returns their number. */
export async function prune({ database, clock }: RetentionDeps, periods: RetentionPeriods): Promise<number> {
  const now = clock.now();
  const run = <T>(work: BatchWork<T>): Promise<number> => runInBatches(database, work);
  const { sessionIdleMs, sessionMs } = periods;
  return (
    (await run(oldEvents(now - periods.eventsMs, periods.eventsPerTopic))) +
    (await run(oldIdempotencyKeys(now - periods.idempotencyMs))) +
    (await run(expiredRows("attempts", sql<boolean>`created_at < ${now - periods.throttledAttemptsMs}`))) +
    (await run(expiredRows("jobs", sql<boolean>`state in ('done', 'failed') and done_at < ${now - periods.jobsMs}`))) +
    (await run(expiredRows("audit", sql<boolean>`created_at < ${now - periods.auditMs}`))) +
    (await run(expiredTickets(now))) +
    (await run(expiredRows("sessions", sql<boolean>`(last_seen_at <= ${now - sessionIdleMs} or created_at <= ${now - sessionMs})`)))
  );
}
