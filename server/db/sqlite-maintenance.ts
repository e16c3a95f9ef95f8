/**
 * What SQLite by default does within a commit, where the event loop waits until the disk has written thousands of pages: copying the write-ahead log into the
 * database file, and merging the segments of the index of messages. Here a thread does both.
 */
import { CompiledQuery, sql } from "kysely";
import { AsyncResource } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { createSerialQueue } from "../lib/serial-queue.ts";
import { isBusy } from "./engine-errors.ts";
import type { Db } from "./schema.ts";

/** Writes after which the index is merged. */
export const WRITES_BETWEEN_MERGES = 100;

/** Writes after which the log is copied. A message adds five to 16 pages of 4 KB to it. */
const WRITES_BETWEEN_COPIES = 400;

/** Merging takes at most a quarter of the time, so that writes rarely wait for it. */
const PAUSE_FACTOR = 3;

/** Pages of the index that one call merges, which takes a few milliseconds. */
const MERGED_PAGES = 64;

const COPY_LOG = CompiledQuery.raw("PRAGMA wal_checkpoint(PASSIVE)");

export interface SqliteMaintenance {
  /** Called after each commit with the number of writes in it. */
  countWrites(count: number): void;
  /** Called after the commit of a long transaction, which may have filled the log alone. */
  countLongTransaction(): void;
  /** Resolves when nothing runs any more. Nothing starts afterwards. */
  stop(): Promise<void>;
}

/**
 * Merges segments of SQLite's index of messages: each commit adds one, and a search reads them all. Returns true if there may be more to merge. A commit
 * merges only when 16 segments of about the same size have come together; if this is called often, those are small.
 */
async function mergeMessageIndex(db: Db): Promise<boolean> {
  const changes = async () => (await sql<{ count: number }>`select total_changes() as count`.execute(db)).rows[0]!.count;
  const before = await changes();
  await sql`insert into message_search (message_search, rank) values ('merge', ${MERGED_PAGES})`.execute(db);
  // A merge that finds nothing to do changes one row or none (https://sqlite.org/fts5.html#the_merge_command).
  return (await changes()) - before >= 2;
}

/** `thread` runs its statements in a thread; `inLine` runs work while nobody writes. */
export function createSqliteMaintenance(thread: Db, inLine: ReturnType<typeof createSerialQueue>): SqliteMaintenance {
  let [unmergedWrites, uncopiedWrites] = [0, 0];
  const stopping = new AbortController();
  let run: Promise<void> | null = null;

  async function copyLog(): Promise<void> {
    uncopiedWrites = 0;
    // Most of it, while others write.
    await thread.executeQuery(COPY_LOG);
    // What was written meanwhile: if all of the log is copied, the next write begins it anew.
    await inLine(() => thread.executeQuery(COPY_LOG));
  }

  async function maintain(): Promise<void> {
    unmergedWrites = 0;
    while (!stopping.signal.aborted) {
      if (uncopiedWrites >= WRITES_BETWEEN_COPIES) await copyLog();
      const { hasMore, durationMs } = await inLine(async () => {
        const startedAt = performance.now();
        return { hasMore: await mergeMessageIndex(thread), durationMs: performance.now() - startedAt };
      });
      if (!hasMore) return;
      await sleep(durationMs * PAUSE_FACTOR, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Runs outside the transaction and the work of the caller whose write it follows. */
  const start = AsyncResource.bind(() => {
    run = maintain()
      .catch((error: unknown) => {
        // Another program writes; the next run does what is left.
        if (!isBusy(error)) process.emitWarning(error instanceof Error ? error : String(error));
      })
      .finally(() => (run = null));
  });

  function countWrites(count: number): void {
    unmergedWrites += count;
    uncopiedWrites += count;
    if (unmergedWrites >= WRITES_BETWEEN_MERGES && !run && !stopping.signal.aborted) start();
  }

  return {
    countWrites,
    countLongTransaction: () => countWrites(WRITES_BETWEEN_COPIES),
    async stop() {
      stopping.abort();
      await run;
    },
  };
}
