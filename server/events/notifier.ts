/** Sends PostgreSQL notifications in the order of the calls. */
import { sql } from "kysely";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Database } from "../db/database.ts";

/** PostgreSQL accepts 7,999 bytes per notification. */
export const MAX_NOTIFICATION_BYTES = 7_500;
/** Payloads that wait for a slow database. Later ones are dropped. */
const MAX_WAITING = 1_000;

/**
 * Returns a function that sends a payload to the listeners of the channel, after those sent before and several at once in one statement; it throws if the
 * payload is too long. Payloads are lost when the database fails. The function must not be called inside a transaction, because it uses `Database.read`.
 */
export function createNotifier({ read }: Pick<Database, "read">, channel: string, onError: (error: unknown) => void): (payload: string) => void {
  const waiting: string[] = [];
  let isSending = false;

  async function sendWaiting(): Promise<void> {
    isSending = true;
    try {
      // Deferred, so that payloads of one turn are one statement.
      await yieldToEventLoop();
      while (waiting.length > 0) {
        const payloads = waiting.splice(0);
        await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(read);
      }
    } catch (error) {
      // What waited meanwhile would be late.
      waiting.length = 0;
      onError(error);
    } finally {
      isSending = false;
    }
  }

  return (payload) => {
    if (Buffer.byteLength(payload) > MAX_NOTIFICATION_BYTES) throw new Error(`A notification on ${channel} is too long`);
    if (waiting.length >= MAX_WAITING) return;
    waiting.push(payload);
    if (!isSending) void sendWaiting();
  };
}
