/** Creates the hub with the notification source for the database engine. */
import type { Database } from "../db/database.ts";
import { createHub, type Hub } from "./hub.ts";
import type { EventLog } from "./log.ts";
import { listenToPostgres } from "./postgres-notifications.ts";
import type { Signals } from "./signals.ts";
import { pollSqlite } from "./sqlite-notifications.ts";

/** How often the SQLite file is polled for writes of another process while anyone listens. */
const SQLITE_POLL_MS = 500;

export function openHub(
  { database, events, signals }: { database: Database; events: EventLog; signals: Signals },
  warn: (error: unknown, message: string) => void,
): Hub {
  return createHub({
    database,
    events,
    warn,
    notificationSource: (handlers) =>
      database.engine === "postgres"
        ? listenToPostgres({ database, origin: events.origin, onSignalPayload: signals.receive, warn }, handlers)
        : pollSqlite({ database, pollMs: SQLITE_POLL_MS, warn }, handlers),
  });
}
