/** Deletes data past its retention period. Concurrent runs in several processes are safe. */
import { sql } from "kysely";
import { AUDIT_RETENTION_DAYS } from "../../contract/limits.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/schema.ts";
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

/** Maximum rows deleted per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 2_000;

export interface RetentionDeps {
  database: Database;
  clock: Clock;
}

/** Deletes expired rows and returns their number. */
export async function prune({ database, clock }: RetentionDeps, periods: RetentionPeriods): Promise<number> {
  const now = clock.now();
  let deletedCount = 0;
  const remove = async (work: (tx: Tx) => Promise<{ numDeletedRows: bigint }[]>): Promise<number> => {
    const deleted = await database.backgroundWrite(async (tx) => (await work(tx)).reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0));
    deletedCount += deleted;
    return deleted;
  };

  const deleteOldEvents = async (): Promise<number> =>
    remove((tx) =>
      tx
        .deleteFrom("events")
        .where(
          sql<boolean>`(topic, seq) in (
            select events.topic, events.seq from events join topics on topics.topic = events.topic
            where events.created_at < ${now - periods.eventsMs} and events.seq <= topics.seq - ${periods.eventsPerTopic}
            limit ${BATCH_SIZE}
          )`,
        )
        .execute(),
    );
  while ((await deleteOldEvents()) === BATCH_SIZE);

  await remove((tx) =>
    tx
      .deleteFrom("idempotency")
      .where("created_at", "<", now - periods.idempotencyMs)
      .execute(),
  );
  await remove((tx) =>
    tx
      .deleteFrom("attempts")
      .where("created_at", "<", now - periods.throttledAttemptsMs)
      .execute(),
  );
  await remove((tx) =>
    tx
      .deleteFrom("jobs")
      .where("state", "in", ["done", "failed"])
      .where("done_at", "<", now - periods.jobsMs)
      .execute(),
  );
  await remove((tx) =>
    tx
      .deleteFrom("audit")
      .where("created_at", "<", now - periods.auditMs)
      .execute(),
  );
  await remove((tx) => tx.deleteFrom("live_tickets").where("expires_at", "<=", now).execute());
  await remove((tx) =>
    tx
      .deleteFrom("sessions")
      .where(({ or, eb }) => or([eb("last_seen_at", "<=", now - periods.sessionIdleMs), eb("created_at", "<=", now - periods.sessionMs)]))
      .execute(),
  );
  return deletedCount;
}
