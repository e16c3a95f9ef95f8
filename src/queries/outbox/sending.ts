/** What the outbox asks of the world around it. */
import type { OutboxEntry } from "./outbox.ts";

/**
 * How sending went. `later` keeps the message first in line, for ever where the service was not reached (a proxy's 502 is no word of it),
 * a few times where it answered with an `error`; `refused` sets it aside.
 */
export type SendResult =
  | { result: "sent" }
  | { result: "later"; afterMs?: number; error?: string; afterId?: number | null }
  | { result: "refused"; error: string; afterId: number | null };

/** How far a message's uploads are. */
export type Readiness = { state: "ready" } | { state: "waiting" } | { state: "failed"; error: string; afterId: number | null };

/** Where the entries of one account at one service outlive the page. Every call may reject: storage can be forbidden or full. */
export interface OutboxStore {
  load(): Promise<OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  /** Changes one in a single step. `change` gives null to remove it, undefined to leave it. Answers whether something was changed. */
  update(clientId: string, change: (entry: OutboxEntry) => OutboxEntry | null | undefined): Promise<boolean>;
}

export interface OutboxDeps {
  openStore(accountId: number): OutboxStore;
  /** Runs while no other tab sends. */
  runExclusive(accountId: number, run: () => Promise<void>): Promise<void>;
  /** Other tabs should look. `deliveredId`: this one is with the service, and will be gone. */
  notifyTabs(deliveredId?: string): void;
  /** Asked before every send; a message that is not ready stands aside and holds nobody. */
  readiness(entry: OutboxEntry): Readiness;
  /** Its uploads belong to it from now on. Called again and again. */
  claimUploads(entry: OutboxEntry): void;
  /** Starts its failed uploads again. */
  resumeUploads(entry: OutboxEntry): void;
  /** Its uploads are not needed any more: the message was sent, or given up. */
  releaseUploads(entry: OutboxEntry, outcome: "sent" | "discarded"): void;
  send(entry: OutboxEntry): Promise<SendResult>;
  newId(): string;
  now(): number;
}
