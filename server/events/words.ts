/** What is said to whoever has a project open at this moment: stored nowhere, lost without harm, heard by every process on PostgreSQL. */
import { sql } from "kysely";
import * as z from "zod/mini";
import { readerMoved, typing } from "../../contract/events.ts";
import { id } from "../../contract/text.ts";
import type { Database } from "../db/database.ts";

export interface Signal {
  type: "typing" | "reader.moved";
  projectId: number;
  /** Who it is about, and so is not told. */
  accountId: number;
  data: Record<string, unknown>;
}

export interface Signals {
  /** Not for use inside a transaction. */
  emit(signal: Signal): void;
  onSignal(listener: (signal: Signal) => void): void;
  /** An announcement that arrived on `SIGNALS_CHANNEL`. */
  receive(payload: string | undefined): void;
}

export const SIGNALS_CHANNEL = "talkback_words";

/** `origin`: what this process calls itself, so that it does not hear itself twice. */
export function createSignals(database: Pick<Database, "engine" | "read">, origin: string): Signals {
  const listeners: ((signal: Signal) => void)[] = [];
  const notify = (signal: Signal) => {
    for (const listener of listeners) listener(signal);
  };
  return {
    emit(signal) {
      notify(signal);
      if (database.engine !== "postgres") return;
      sql`select pg_notify(${SIGNALS_CHANNEL}, ${JSON.stringify({ origin, signal })})`.execute(database.read).catch(() => {
        // Nobody misses it: it would have been true for seconds.
      });
    },
    onSignal: (listener) => void listeners.push(listener),
    receive(payload) {
      const signal = parseSignal(payload, origin);
      if (signal) notify(signal);
    },
  };
}

const DATA_SCHEMAS = { typing, "reader.moved": readerMoved };
const announcement = z.object({
  origin: z.string(),
  signal: z.object({ type: z.enum(["typing", "reader.moved"]), projectId: id, accountId: id, data: z.record(z.string(), z.unknown()) }),
});

/** null where it is our own, or not of our kind: whoever may use the database may announce anything. */
function parseSignal(payload: string | undefined, ownOrigin: string): Signal | null {
  let value: unknown;
  try {
    value = JSON.parse(payload ?? "");
  } catch {
    return null;
  }
  const { success, data } = announcement.safeParse(value);
  return success && data.origin !== ownOrigin && DATA_SCHEMAS[data.signal.type].safeParse(data.signal.data).success ? data.signal : null;
}
