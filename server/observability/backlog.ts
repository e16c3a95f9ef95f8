/** Reads what waits in the database, and what is stored. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Db } from "../db/schema.ts";

/** What waits in one queue. */
export interface Queue {
  waiting: number;
  /** When the oldest one that is due became due; null: none is. */
  oldestDueAt: number | null;
}

export interface Backlog {
  /** By kind of job. */
  jobs: ReadonlyMap<string, Queue & { running: number }>;
  deliveries: Queue;
  /** By channel: push, mail. */
  notifications: ReadonlyMap<string, Queue>;
  storedBytes: number;
}

async function loadJobs(db: Db, now: number): Promise<Backlog["jobs"]> {
  const rows = await db
    .selectFrom("jobs")
    .select(({ fn }) => ["kind", "state", fn.countAll<number>().as("count"), sql<number | null>`min(case when run_at <= ${now} then run_at end)`.as("oldest")])
    .where("state", "in", ["waiting", "running"])
    .groupBy(["kind", "state"])
    .execute();
  const jobs = new Map<string, Queue & { running: number }>();
  for (const { kind, state, count, oldest } of rows) {
    const queue = jobs.get(kind) ?? { waiting: 0, oldestDueAt: null, running: 0 };
    jobs.set(kind, state === "running" ? { ...queue, running: count } : { ...queue, waiting: count, oldestDueAt: oldest });
  }
  return jobs;
}

/** Columns of what waits in a table of deliveries: how many, and since when the oldest one is due that nobody sends. */
const waitingColumns = (now: number) =>
  [
    sql<number>`count(*)`.as("waiting"),
    sql<number | null>`min(case when next_attempt_at <= ${now} and lease_until is null then next_attempt_at end)`.as("oldestDueAt"),
  ] as const;

export async function loadBacklog({ backgroundRead: db }: Database, now: number): Promise<Backlog> {
  const deliveries = await db.selectFrom("deliveries").select(waitingColumns(now)).where("next_attempt_at", "is not", null).executeTakeFirstOrThrow();
  const notifications = await db
    .selectFrom("notification_deliveries")
    .select("channel")
    .select(waitingColumns(now))
    .where("next_attempt_at", "is not", null)
    .groupBy("channel")
    .execute();
  const { bytes } = await db
    .selectFrom("stored_bytes")
    .select(sql<number>`coalesce(sum(bytes), 0)`.as("bytes"))
    .executeTakeFirstOrThrow();
  return {
    jobs: await loadJobs(db, now),
    deliveries,
    notifications: new Map(notifications.map(({ channel, ...queue }) => [channel, queue])),
    storedBytes: bytes,
  };
}
