/** Sends PostgreSQL notifications in the order of the calls. */
import { sql } from "kysely";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database } from "../db/database.ts";

/** Payloads that wait for a slow database. Later ones are dropped. */
const MAX_WAITING = 1_000;

/**
 * Returns a function that sends a payload to the listeners of the channel, after those sent before and several at once in one statement. Payloads are lost
 * when the database fails. The function must not be called inside a transaction, because it uses `Database.read`.
 */
export function createNotifier({ read }: Pick<Database, "read">, channel: string, onError: (error: unknown) => void): (payload: string) => void {
  const waiting: string[] = [];
  let sending: Promise<void> | null = null;

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const payloads = waiting.splice(0);
      await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(read);
    }
  }

  return (payload) => {
    if (waiting.length >= MAX_WAITING) return;
    waiting.push(payload);
    // Deferred, so that payloads of one turn are one statement.
    sending ??= yieldToEventLoop()
      .then(sendWaiting)
      .catch(onError)
      .finally(() => (sending = null));
  };
}
