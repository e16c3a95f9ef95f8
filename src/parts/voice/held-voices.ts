/** Recordings that are messages already: a page that died between sending and forgetting has left them as drafts too. */
import type { Message } from "../../../contract/records.ts";
import type { OutboxEntry } from "../../queries/outbox/outbox.ts";

export interface HeldVoices {
  /** By the outbox: not offered as long as it has them. */
  waiting: ReadonlySet<string>;
  /** By the service: not needed any more. */
  arrived: ReadonlySet<string>;
}

export function heldVoices(entries: readonly OutboxEntry[], messages: readonly Message[] | undefined, accountId: number): HeldVoices {
  return {
    waiting: new Set(entries.flatMap(({ voice, clientId }) => (voice ? [clientId] : []))),
    arrived: new Set(messages?.flatMap(({ account_id: by, client_id: id }) => (by === accountId && id ? [id] : []))),
  };
}
