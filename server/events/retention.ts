/** What is kept for a while only. Runs every hour in each process; two at once do no harm. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/schema.ts";
import { DAY, HOUR, MINUTE, type Clock } from "../lib/clock.ts";

/** Ages in milliseconds. */
export interface Keep {
  eventsMs: number;
  /** So many of a topic stay however old they are. */
  eventsPerTopic: number;
  idempotencyMs: number;
  attemptsMs: number;
  sessionIdleMs: number;
  sessionMs: number;
}
export const KEEP = { eventsMs: 30 * DAY, eventsPerTopic: 1_000, idempotencyMs: DAY, attemptsMs: DAY };

/** Rows a transaction deletes at most, so that nobody waits long behind it. */
const BATCH = 2_000;

export interface RetentionDeps {
  database: Database;
  clock: Clock;
}

/** Deletes what is due. Returns how many rows went. */
export async function prune({ database, clock }: RetentionDeps, keep: Keep): Promise<number> {
  const now = clock.now();
  let gone = 0;
  const remove = async (work: (tx: Tx) => Promise<{ numDeletedRows: bigint }[]>): Promise<number> => {
    const deleted = await database.write(async (tx) => (await work(tx)).reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0));
    gone += deleted;
    return deleted;
  };

  const oldEvents = async (): Promise<number> =>
    remove((tx) =>
      tx
        .deleteFrom("events")
        .where(
          sql<boolean>`(topic, seq) in (
            select events.topic, events.seq from events join topics on topics.topic = events.topic
            where events.created_at < ${now - keep.eventsMs} and events.seq <= topics.seq - ${keep.eventsPerTopic}
            limit ${BATCH}
          )`,
        )
        .execute(),
    );
  while ((await oldEvents()) === BATCH);

  await remove((tx) =>
    tx
      .deleteFrom("idempotency")
      .where("created_at", "<", now - keep.idempotencyMs)
      .execute(),
  );
  await remove((tx) =>
    tx
      .deleteFrom("attempts")
      .where("created_at", "<", now - keep.attemptsMs)
      .execute(),
  );
  await remove((tx) => tx.deleteFrom("live_tickets").where("expires_at", "<=", now).execute());
  await remove((tx) =>
    tx
      .deleteFrom("sessions")
      .where(({ or, eb }) => or([eb("last_seen_at", "<=", now - keep.sessionIdleMs), eb("created_at", "<=", now - keep.sessionMs)]))
      .execute(),
  );
  return gone;
}

/** Prunes soon after the start and then every hour, until the returned function is called; that waits for a run under way. */
export function keepPruning(deps: RetentionDeps, keep: Keep, warn: (error: unknown, message: string) => void): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = prune(deps, keep).catch((error: unknown) => warn(error, "old records could not be deleted; the next try is in an hour"));
  };
  const soon = setTimeout(run, MINUTE).unref();
  const hourly = setInterval(run, HOUR).unref();
  return async () => {
    clearTimeout(soon);
    clearInterval(hourly);
    await running;
  };
}
