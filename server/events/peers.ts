/**
 * Messages between the processes that share one PostgreSQL: never stored, in order per sender, and lost while a connection is down. On SQLite there are no
 * other processes that serve, so nothing is sent.
 */
import * as z from "zod/mini";
import type { Database } from "../db/database.ts";
import { createNotifier } from "./notifier.ts";

/** PostgreSQL channel of these messages. Processes of different versions share it: unknown kinds are ignored. */
export const PEERS_CHANNEL = "talkback_peers";

export interface Peers {
  /** Whether there can be other processes. */
  isShared: boolean;
  /**
   * Sends a message to the other processes after those sent before; receivers notice missing ones. Its JSON must stay below `MAX_NOTIFICATION_BYTES`. Must not
   * be called inside a transaction, because it uses `Database.read`.
   */
  send(kind: PeerMessageKind, data: unknown): void;
  /** `origin` identifies the sending process. Listeners validate `data`: anyone with database access can send anything. */
  onMessage(kind: PeerMessageKind, listener: (data: unknown, origin: string) => void): void;
  /** Handles a payload that arrived on `PEERS_CHANNEL`. */
  receive(payload: string | undefined): void;
}
export type PeerMessageKind = "presence" | "spent";

const envelope = z.object({ kind: z.enum(["presence", "spent"]), origin: z.string(), data: z.unknown() });

/** `origin` identifies this process, so that it ignores its own messages. */
export function createPeers(database: Pick<Database, "engine" | "read">, origin: string, warn: (error: unknown, message: string) => void): Peers {
  const isShared = database.engine === "postgres";
  const listeners = new Map<PeerMessageKind, ((data: unknown, origin: string) => void)[]>();
  const notify = createNotifier(database, PEERS_CHANNEL, (error) => warn(error, "messages to other processes could not be sent"));

  return {
    isShared,
    send(kind, data) {
      if (isShared) notify(JSON.stringify({ kind, origin, data }));
    },
    onMessage(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },
    receive(payload) {
      const message = parseEnvelope(payload);
      if (!message || message.origin === origin) return;
      for (const listener of listeners.get(message.kind) ?? []) listener(message.data, message.origin);
    },
  };
}

function parseEnvelope(payload: string | undefined): z.infer<typeof envelope> | null {
  try {
    const result = envelope.safeParse(JSON.parse(payload ?? ""));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
