/** Messages and comments on their way out: kept in order by the browser, sent one after the other by one tab, never dropped without a word. */
import type { Quote } from "../../../contract/records.ts";

/** What its writer knows of a voice note before the service has looked into it. */
export interface Voice {
  /** On the recorder's clock. */
  seconds: number;
  /** 0 to 1. */
  wave: readonly number[];
}

/** Which file a comment is about, and where in it. Times in milliseconds. */
export interface CommentTarget {
  fileId: number;
  version: number;
  /** null: the whole file is meant, or it is a reply. */
  at: number | null;
  end: number | null;
  /** The comment that it answers. */
  parentId: number | null;
}

export interface OutboxEntry {
  /** Made when the message is written; the service takes it once, however often it is sent. */
  clientId: string;
  projectId: number;
  accountId: number;
  body: string;
  /** Ids of the uploads that it waits for and takes along, in their order. */
  uploads: readonly string[];
  /** It is a voice note; what was written by an older page does not say. */
  voice?: Voice | null;
  /** It is a comment of a file and no message. */
  comment?: CommentTarget | null;
  /** What it answers. */
  quote: Quote | null;
  /** Epoch milliseconds. */
  writtenAt: number;
  /** Its place: later ones are larger, whatever the clock does. */
  order: number;
  /** `waiting`: for its turn or for the connection; `failed`: stands aside until its writer decides. */
  state: "waiting" | "sending" | "failed";
  /** A try has not reached the service: it is sent again by itself. */
  delayed: boolean;
  /** Why it failed, in the service's words. */
  fault: string | null;
  /** A failed message keeps its place: it is shown behind this message. null: at the end. */
  afterId: number | null;
  /** False until the browser has kept it, and where it cannot: then it lives as long as the page. */
  kept: boolean;
}

/** A given `clientId` makes it one message, however often it is handed in. */
export type Draft = Pick<OutboxEntry, "projectId" | "accountId" | "body" | "uploads" | "quote" | "voice" | "comment"> & { clientId?: string };

export interface Outbox {
  /** Takes a message and sends it as soon as it is its turn. */
  add(draft: Draft): OutboxEntry;
  /** Resolves once the browser has kept the message, or has failed to. */
  whenStored(clientId: string): Promise<void>;
  /** Resolves once the message is with the service or given up. Never for one that is left to its account's return. */
  whenSettled(clientId: string): Promise<"sent" | "discarded">;
  /** Sends a failed message again, with the same `clientId`, at the end of the queue. */
  retry(clientId: string): void;
  /** Forgets a message that has failed or waits for its uploads. One that may be under way cannot be taken back. */
  discard(clientId: string): void;
  /** It has turned out to be with the service. */
  markDelivered(clientId: string): void;
  /** Another tab has changed something. */
  reload(): void;
  /** Another tab knows that this one is with the service, and will take it out. */
  markDeliveredElsewhere(clientId: string): void;
  /** Uploads have changed: what has waited for them may go. */
  wakeReady(): void;
  /** Tries at once instead of at the end of a pause. */
  wake(): void;
  /** The same array until something changes. */
  entries(): readonly OutboxEntry[];
  onChange(listener: () => void): () => void;
  /** Shows and sends what this account has written here, and nothing of others: theirs waits for them. */
  switchAccount(accountId: number): Promise<void>;
}
