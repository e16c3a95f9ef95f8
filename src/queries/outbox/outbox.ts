/** Messages on their way out: kept in order, sent one after the other, never dropped without a word. */

export interface OutboxEntry {
  /** Made when the message is written; the service takes it once, however often it is sent. */
  clientId: string;
  projectId: number;
  accountId: number;
  body: string;
  /** Ids of the uploads that it waits for and takes along, in their order. */
  uploads: readonly string[];
  parentMessageId: number | null;
  /** Epoch milliseconds. */
  writtenAt: number;
  /** `waiting`: for its turn or for the connection; `failed`: stands aside until its writer decides. */
  state: "waiting" | "sending" | "failed";
  /** A try has not reached the service: it is sent again by itself. */
  delayed: boolean;
  /** Why it failed, in the service's words. */
  fault: string | null;
  /** A failed message keeps its place: it is shown behind this message. null: at the end. */
  afterId: number | null;
}

export type Draft = Pick<OutboxEntry, "projectId" | "accountId" | "body" | "uploads" | "parentMessageId">;

export interface Outbox {
  /** Takes a message and sends it as soon as it is its turn. */
  add(draft: Draft): OutboxEntry;
  /** Sends a failed message again, with the same `clientId`, at the end of the queue. */
  retry(clientId: string): void;
  /** Forgets a message that has failed or waits for its uploads. One that may be under way cannot be taken back. */
  discard(clientId: string): void;
  /** Uploads have changed: what has waited for them may go, or has failed with them. */
  look(): void;
  /** Tries at once instead of at the end of a pause. */
  wake(): void;
  /** The same array until something changes. */
  entries(): readonly OutboxEntry[];
  onChange(listener: () => void): () => void;
  /** Forgets what others have written here: nothing is ever sent as somebody else. */
  belongTo(accountId: number): void;
}
