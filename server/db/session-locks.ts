/**
 * Named locks between the processes that share one PostgreSQL. They are advisory locks of one connection, so that holding one writes nothing, and that
 * PostgreSQL releases those of a killed process at once.
 */
import type { Client } from "pg";
import { SECOND } from "../lib/clock.ts";
import type { Database } from "./database.ts";
import { markConnectionErrors } from "./engine-errors.ts";

/** Announces the name of a lock that somebody else wants. */
const REQUESTS_CHANNEL = "talkback_lock_requests";
/** A connection that takes longer to answer is given up, with its locks. */
const ANSWER_TIMEOUT_MS = 5 * SECOND;

export interface SessionLocks {
  /**
   * Returns whether this process has the lock now. Of two callers in one process both get it, so they must exclude each other before. `onLost`: called when the
   * connection breaks, after which another process can get the lock; `onRequest`: when another process wants it.
   */
  tryAcquire(name: string, handlers: { onLost(): void; onRequest(): void }): Promise<boolean>;
  /** Asks the process that has the lock to release it. */
  request(name: string): Promise<void>;
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

export function createSessionLocks(database: Pick<Database, "createListenClient">): SessionLocks {
  const held = new Map<string, { onLost(): void; onRequest(): void }>();
  let connection: Promise<Client> | null = null;
  let isClosed = false;

  function lose(lost: Promise<Client>): void {
    if (connection !== lost) return;
    connection = null;
    const handlers = [...held.values()];
    held.clear();
    for (const { onLost } of handlers) onLost();
    // The locks last as long as the connection.
    lost.then((client) => client.end()).catch(() => {});
  }

  function open(): Promise<Client> {
    const client = database.createListenClient();
    const opened = (async () => {
      await client.connect();
      await client.query(`listen ${REQUESTS_CHANNEL}`);
      return client;
    })();
    const onEnd = (): void => lose(opened);
    client.on("error", onEnd).on("end", onEnd);
    client.on("notification", ({ payload }) => held.get(payload ?? "")?.onRequest());
    opened.catch(onEnd);
    return opened;
  }

  /** Returns the value of the statement, which has the name as its parameter. */
  async function run<T>(statement: string, name: string): Promise<T | undefined> {
    if (isClosed) throw new Error("The service is stopping");
    const current = (connection ??= open());
    const timeout = setTimeout(() => lose(current), ANSWER_TIMEOUT_MS);
    try {
      const { rows } = await markConnectionErrors(async () => (await current).query<Record<string, T>>(statement, [name]));
      return Object.values(rows[0] ?? {})[0];
    } finally {
      clearTimeout(timeout);
    }
  }

  return {
    async tryAcquire(name, handlers) {
      const isAcquired = (await run<boolean>("select pg_try_advisory_lock(hashtextextended($1, 1))", name)) === true;
      if (isAcquired) held.set(name, handlers);
      return isAcquired;
    },
    request: async (name) => void (await run(`select pg_notify('${REQUESTS_CHANNEL}', $1)`, name)),
    async release(name) {
      // Without it the connection has been lost, and with it the lock.
      if (held.delete(name)) await run("select pg_advisory_unlock(hashtextextended($1, 1))", name);
    },
    async close() {
      isClosed = true;
      held.clear();
      const last = connection;
      connection = null;
      await last?.then((client) => client.end()).catch(() => {});
    },
  };
}
