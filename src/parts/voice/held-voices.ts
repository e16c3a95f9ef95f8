/** Recordings that are messages already: a page that died between sending and forgetting has left them as drafts too. */
import type { Message } from "../../../contract/records.ts";
import type { OutboxEntry } from "../../queries/outbox/outbox.ts";

export interface SentRecordings {
  /** By the outbox: not offered as long as it has them. */
  pending: ReadonlySet<string>;
  /** By the service: not needed any more. */
  delivered: ReadonlySet<string>;
}

export function findSentRecordings(entries: readonly OutboxEntry[], messages: readonly Message[] | undefined, accountId: number): SentRecordings {
  return {
    pending: new Set(entries.flatMap(({ voice, clientId }) => (voice ? [clientId] : []))),
    delivered: new Set(messages?.flatMap(({ account_id: authorId, client_id: id }) => (authorId === accountId && id ? [id] : []))),
  };
}
