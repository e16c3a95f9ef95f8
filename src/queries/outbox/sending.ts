/** Declares what the outbox requires from its environment. */
import type { OutboxEntry } from "./outbox.ts";

/**
 * The result of sending. `later` keeps the message first in line: forever when the service was not reached (which includes a proxy's 502), a
 * few times when it returned an `error`. `refused` sets the message aside.
 */
export type SendResult =
  | { result: "sent" }
  | { result: "later"; afterMs?: number; error?: string; afterId?: number | null }
  | { result: "refused"; error: string; afterId: number | null };

/** Whether a message's uploads are done. */
export type Readiness = { state: "ready" } | { state: "waiting" } | { state: "failed"; error: string; afterId: number | null };

/** Persists the entries of one account at one service beyond the page. Every call may reject, since storage can be forbidden or full. */
export interface OutboxStore {
  load(): Promise<OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  /** Changes one entry atomically: `change` returns null to remove it, undefined to leave it. Resolves to whether it changed. */
  update(clientId: string, change: (entry: OutboxEntry) => OutboxEntry | null | undefined): Promise<boolean>;
}

export interface OutboxDeps {
  openStore(accountId: number): OutboxStore;
  /** Runs while no other tab sends. */
  runExclusive(accountId: number, run: () => Promise<void>): Promise<void>;
  /** Notifies other tabs to reload. `deliveredId`: this message reached the service and will be removed. */
  notifyTabs(deliveredId?: string): void;
  /** Called before every send; a message that is not ready is skipped and blocks no other. */
  readiness(entry: OutboxEntry): Readiness;
  /** Claims the uploads for their message; called repeatedly. */
  claimUploads(entry: OutboxEntry): void;
  /** Restarts the message's failed uploads. */
  resumeUploads(entry: OutboxEntry): void;
  /** Releases the uploads of a message that was sent or discarded. */
  releaseUploads(entry: OutboxEntry, outcome: "sent" | "discarded"): void;
  send(entry: OutboxEntry): Promise<SendResult>;
  newId(): string;
  now(): number;
}
