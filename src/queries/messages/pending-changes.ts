/** Changes of messages that the service has not confirmed, and their application over the loaded messages. */
import type { Message, Reaction } from "../../../contract/records.ts";
import { applyChanges } from "../pending-changes.ts";

export type PendingMessageChange =
  | { kind: "body"; recordId: number; body: string }
  | { kind: "deleted"; recordId: number; deleted: boolean }
  | { kind: "reaction"; recordId: number; emoji: string; accountId: number; on: boolean };

/** Returns the messages with pending changes applied; the same array when nothing differs. */
export const applyMessageChanges = (messages: readonly Message[], changes: readonly PendingMessageChange[]): readonly Message[] =>
  applyChanges(messages, changes, applyChange);

function applyChange(message: Message, change: PendingMessageChange): Message {
  if (change.kind === "deleted") {
    // Deletion dropped the content, which only the response to the restore brings back.
    const isBlank = !change.deleted && message.body === "" && message.attachments.length === 0 && !message.playlist;
    return isBlank || (message.deleted === true) === change.deleted ? message : { ...message, deleted: change.deleted };
  }
  // A message that was deleted meanwhile stays deleted.
  if (message.deleted) return message;
  switch (change.kind) {
    case "body":
      return message.body === change.body ? message : { ...message, body: change.body, edited: true };
    case "reaction": {
      const existing = message.reactions ?? [];
      const reactions = withReaction(existing, change);
      return reactions === existing ? message : { ...message, reactions };
    }
  }
}

/** Adds or removes a reaction; emojis keep the order of their first use, and one without accounts is removed. */
function withReaction(reactions: Reaction[], { emoji, accountId, on }: Extract<PendingMessageChange, { kind: "reaction" }>): Reaction[] {
  const existing = reactions.find((reaction) => reaction.emoji === emoji);
  if ((existing?.account_ids.includes(accountId) ?? false) === on) return reactions;
  if (!existing) return [...reactions, { emoji, account_ids: [accountId] }];
  const account_ids = on ? [...existing.account_ids, accountId] : existing.account_ids.filter((id) => id !== accountId);
  return account_ids.length === 0
    ? reactions.filter((reaction) => reaction !== existing)
    : reactions.map((reaction) => (reaction === existing ? { ...existing, account_ids } : reaction));
}
