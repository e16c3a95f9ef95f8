/** Finds recordings that are already messages. A page that crashed after sending a recording and before removing it leaves it as a draft too. */
import type { Message } from "../../../../contract/records.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";

export interface SentRecordings {
  /** Ids of recordings in the outbox, which are not shown as drafts. */
  pending: ReadonlySet<string>;
  /** Ids of recordings that the service has stored, whose drafts can be deleted. */
  delivered: ReadonlySet<string>;
}

export function findSentRecordings(entries: readonly OutboxEntry[], messages: readonly Message[] | undefined, accountId: number): SentRecordings {
  return {
    pending: new Set(entries.flatMap(({ voice, clientId }) => (voice ? [clientId] : []))),
    delivered: new Set(messages?.flatMap(({ account_id: authorId, client_id: id }) => (authorId === accountId && id ? [id] : []))),
  };
}
