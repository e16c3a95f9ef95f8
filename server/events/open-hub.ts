/** The hub with the way in which its engine tells of other processes. */
import type { Database } from "../db/database.ts";
import { createHub, type Hub } from "./hub.ts";
import type { EventLog } from "./log.ts";
import type { Words } from "./words.ts";
import { followPostgres } from "./postgres-neighbours.ts";
import { followSqlite } from "./sqlite-neighbours.ts";

/** How often a second process on the same SQLite file is looked for while somebody listens. */
const SQLITE_POLL_MS = 500;

export function openHub(
  { database, events, words }: { database: Database; events: EventLog; words: Words },
  warn: (error: unknown, message: string) => void,
): Hub {
  return createHub({
    database,
    events,
    warn,
    neighbours: (news) =>
      database.engine === "postgres"
        ? followPostgres({ database, origin: events.origin, said: words.heard, warn }, news)
        : followSqlite({ database, pollMs: SQLITE_POLL_MS, warn }, news),
  });
}
