/** Ephemeral signals to users who see a project: never stored, safe to lose, and shared between processes on PostgreSQL. */
import * as z from "zod/mini";
import { fileProgress, readerMoved, typing } from "../../contract/events.ts";
import { id } from "../../contract/text.ts";
import type { Database } from "../db/database.ts";
import { createNotifier } from "./notifier.ts";

export interface Signal {
  /** `file.progress` reaches all who see the project, the others those who have it open. */
  type: "typing" | "reader.moved" | "file.progress";
  projectId: number;
  /** The account that the signal is about, which does not receive it; null: everybody receives it. */
  accountId: number | null;
  data: Record<string, unknown>;
}

export interface Signals {
  /** Signals of one process arrive in order. Must not be called inside a transaction, because it uses `Database.read`. */
  emit(signal: Signal): void;
  onSignal(listener: (signal: Signal) => void): void;
  /** Handles a payload that arrived on `SIGNALS_CHANNEL`. */
  receive(payload: string | undefined): void;
}

/** Processes of different versions share this PostgreSQL channel, so its name must not change. */
export const SIGNALS_CHANNEL = "talkback_words";

/** `origin` identifies this process, so that it ignores its own announcements. */
export function createSignals(database: Pick<Database, "engine" | "read">, origin: string): Signals {
  const listeners: ((signal: Signal) => void)[] = [];
  const notifyListeners = (signal: Signal) => {
    for (const listener of listeners) listener(signal);
  };
  // In order, so that progress never goes back. A lost signal does no harm: it would have been valid only for seconds.
  const notifyProcesses = createNotifier(database, SIGNALS_CHANNEL, () => {});
  return {
    emit(signal) {
      notifyListeners(signal);
      if (database.engine === "postgres") notifyProcesses(JSON.stringify({ origin, signal }));
    },
    onSignal: (listener) => void listeners.push(listener),
    receive(payload) {
      const signal = parseSignal(payload, origin);
      if (signal) notifyListeners(signal);
    },
  };
}

const DATA_SCHEMAS = { typing, "reader.moved": readerMoved, "file.progress": fileProgress };
const announcement = z.object({
  origin: z.string(),
  signal: z.object({
    type: z.enum(["typing", "reader.moved", "file.progress"]),
    projectId: id,
    accountId: z.nullable(id),
    data: z.record(z.string(), z.unknown()),
  }),
});

/** Returns null for our own or invalid payloads: anyone with database access can announce anything. */
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
