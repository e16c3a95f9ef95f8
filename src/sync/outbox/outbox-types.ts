/**
 * Types of the outbox of messages and comments, and of what it requires from its environment. The browser persists the entries in order, one tab
 * sends them one by one, and none is dropped silently.
 */
import type { Quote } from "../../../contract/records.ts";

/** Duration and waveform of a voice note, measured by the recorder and shown until the service has processed the file. */
export interface Voice {
  /** Duration on the recorder's clock. */
  seconds: number;
  /** 0 to 1. */
  wave: readonly number[];
}

/** The file that a comment refers to, and the position in it. Times in milliseconds. */
export interface CommentTarget {
  fileId: number;
  version: number;
  /** Null for the whole file and for a reply. */
  at: number | null;
  end: number | null;
  /** The comment that it replies to. */
  parentId: number | null;
}

export interface OutboxEntry {
  /** Idempotency key: the service stores the message only once, however often it is sent. */
  clientId: string;
  projectId: number;
  accountId: number;
  body: string;
  /** Ids of the uploads that the message waits for and attaches, in order. */
  uploads: readonly string[];
  /** Set for a voice note; entries that an earlier version of this client stored lack it. */
  voice?: Voice | null;
  /** The playlist that the message shows; entries of earlier versions lack it. */
  playlist?: { id: number; name: string } | null;
  /** Set for a comment on a file instead of a message. */
  comment?: CommentTarget | null;
  /** The message that it replies to. */
  quote: Quote | null;
  /** Epoch milliseconds. */
  writtenAt: number;
  /** Sort position; later entries have larger ones, whatever the clock does. */
  order: number;
  /** `waiting`: waits for its turn or the connection; `failed`: is not sent until the author retries or discards it. */
  state: "waiting" | "sending" | "failed";
  /** True after a temporary failure, while the outbox retries by itself. */
  isDelayed: boolean;
  /** Why it failed, as text for the author. */
  error: string | null;
  /** Id of the message after which a failed message is shown; null shows it at the end. */
  afterId: number | null;
  /** False until the browser has persisted the entry; if it cannot, the entry lives only as long as the page. */
  isPersisted: boolean;
}

/** A message or comment to send; a given `clientId` makes adding it idempotent. */
export type OutboxInput = Pick<OutboxEntry, "projectId" | "accountId" | "body" | "uploads" | "quote" | "voice" | "playlist" | "comment"> & {
  clientId?: string;
};

/**
 * The result of sending. `later` keeps the message first in the queue and retries: without limit when the service was not reached (including a proxy's
 * 502), a few times when it returned an `error`. `refused` fails the message.
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
