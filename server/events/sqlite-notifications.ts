/** Detects writes of another process to the same SQLite file (such as the CLI next to the service) by polling. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { NotificationHandlers, NotificationSource } from "./hub.ts";

const PAGE_SIZE = 1_000;

export interface SqlitePollOptions {
  database: Database;
  pollMs: number;
  warn(error: unknown, message: string): void;
}

/**
 * Polls for new events by row id. Row ids only grow: SQLite assigns the highest one plus 1, and retention never deletes the newest event of a topic.
 * A poll also finds this process's own events, which the handler ignores because they are already published.
 */
export function pollSqlite({ database, pollMs, warn }: SqlitePollOptions, handlers: NotificationHandlers): NotificationSource {
  let starting: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let knownVersion = 0;
  let lastRowId = 0;
  let isStopped = false;

  async function start(): Promise<void> {
    knownVersion = database.dataVersion();
    const { rows } = await sql<{ newest: number | null }>`select max(rowid) as newest from events`.execute(database.read);
    lastRowId = rows[0]?.newest ?? 0;
    schedule();
  }

  function schedule(): void {
    if (!isStopped) timer = setTimeout(() => void poll(), pollMs).unref();
  }

  async function poll(): Promise<void> {
    // Polling stops while there are no listeners; the next `ready` starts it again.
    if (!handlers.hasListeners()) {
      starting = null;
      return;
    }
    try {
      const currentVersion = database.dataVersion();
      if (currentVersion !== knownVersion) {
        await readNewEvents();
        // Set only after the read succeeds, so that a failed read is retried.
        knownVersion = currentVersion;
      }
    } catch (error) {
      warn(error, "events of other processes could not be read");
    }
    schedule();
  }

  async function readNewEvents(): Promise<void> {
    for (;;) {
      const { rows } = await sql<{ rowid: number; topic: string; seq: number }>`
        select rowid, topic, seq from events where rowid > ${lastRowId} order by rowid limit ${PAGE_SIZE}`.execute(database.read);
      for (const row of rows) {
        handlers.onEventWritten(row.topic, row.seq);
        lastRowId = row.rowid;
      }
      if (rows.length < PAGE_SIZE) return;
    }
  }

  return {
    ready: () =>
      (starting ??= start().catch((error: unknown) => {
        starting = null;
        throw error;
      })),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
