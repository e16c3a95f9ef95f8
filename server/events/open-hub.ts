/** Creates the hub with the notification source for the database engine. */
import type { Database } from "../db/database.ts";
import { createHub, type Hub } from "./hub.ts";
import { type EventLog, topicOf } from "./log.ts";
import { type Peers, PEERS_CHANNEL } from "./peers.ts";
import { listenToPostgres } from "./postgres-notifications.ts";
import { type Signals, SIGNALS_CHANNEL } from "./signals.ts";
import { pollSqlite } from "./sqlite-notifications.ts";

/** How often the SQLite file is polled for writes of another process while anyone listens. */
const SQLITE_POLL_MS = 500;

export interface OpenHubOptions {
  database: Database;
  events: EventLog;
  signals: Signals;
  peers: Peers;
}

export function openHub({ database, events, signals, peers }: OpenHubOptions, warn: (error: unknown, message: string) => void): Hub {
  const channels = { [SIGNALS_CHANNEL]: signals.receive, [PEERS_CHANNEL]: peers.receive };
  const hub = createHub({
    database,
    events,
    warn,
    notificationSource: (handlers) =>
      database.engine === "postgres"
        ? listenToPostgres({ database, origin: events.origin, channels, warn }, handlers)
        : pollSqlite({ database, pollMs: SQLITE_POLL_MS, warn }, handlers),
  });
  signals.onSignal(({ type, projectId, data }) => {
    if (type === "file.progress") hub.sendLocalSignal({ topic: topicOf.project(projectId), type, data });
  });
  return hub;
}
