/** Finds recordings that are messages already: a page that crashed between sending and removing a recording leaves it as a draft too. */
import type { Message } from "../../../../contract/records.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox.ts";

export interface SentRecordings {
  /** Recordings in the outbox, which are not offered as drafts while they are there. */
  pending: ReadonlySet<string>;
  /** Recordings on the service, whose drafts are no longer needed. */
  delivered: ReadonlySet<string>;
}

export function findSentRecordings(entries: readonly OutboxEntry[], messages: readonly Message[] | undefined, accountId: number): SentRecordings {
  return {
    pending: new Set(entries.flatMap(({ voice, clientId }) => (voice ? [clientId] : []))),
    delivered: new Set(messages?.flatMap(({ account_id: authorId, client_id: id }) => (authorId === accountId && id ? [id] : []))),
  };
}
