/** Another process that writes into the same SQLite file (the command line beside the service): noticed by looking. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { NeighbourNews, Neighbours } from "./hub.ts";

const PAGE = 1_000;

export interface SqliteNeighboursOptions {
  database: Database;
  pollMs: number;
  warn(error: unknown, message: string): void;
}

/**
 * Own commits change the data version too; looking then finds rows whose `seq` was handed out already.
 * Row ids grow with each event, since the newest of a topic is never pruned.
 */
export function followSqlite({ database, pollMs, warn }: SqliteNeighboursOptions, news: NeighbourNews): Neighbours {
  let started: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let version = 0;
  let seen = 0;
  let stopped = false;

  async function start(): Promise<void> {
    version = database.foreignChanges();
    const { rows } = await sql<{ newest: number | null }>`select max(rowid) as newest from events`.execute(database.read);
    seen = rows[0]?.newest ?? 0;
    schedule();
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void look(), pollMs).unref();
  }

  async function look(): Promise<void> {
    // Nobody to tell: no need to look.
    if (!news.isWanted()) {
      started = null;
      return;
    }
    try {
      const now = database.foreignChanges();
      if (now !== version) {
        await readOn();
        // Only now: after a failure the same change is looked at again.
        version = now;
      }
    } catch (error) {
      warn(error, "events of other processes could not be read");
    }
    schedule();
  }

  async function readOn(): Promise<void> {
    for (;;) {
      const { rows } = await sql<{ rowid: number; topic: string; seq: number }>`
        select rowid, topic, seq from events where rowid > ${seen} order by rowid limit ${PAGE}`.execute(database.read);
      for (const row of rows) {
        news.written(row.topic, row.seq);
        seen = row.rowid;
      }
      if (rows.length < PAGE) return;
    }
  }

  return {
    ready: () =>
      (started ??= start().catch((error: unknown) => {
        started = null;
        throw error;
      })),
    async stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
