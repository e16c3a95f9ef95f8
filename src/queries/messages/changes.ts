/**
 * What this person has changed and the service has not answered yet. It lies over the loaded messages instead of in them:
 * the order in which answers and events come does not matter, and taking a change back is forgetting it.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { Message, Reaction } from "../../../contract/records.ts";

export type Change =
  | { kind: "body"; messageId: number; body: string }
  | { kind: "deleted"; messageId: number; deleted: boolean }
  | { kind: "reaction"; messageId: number; emoji: string; accountId: number; on: boolean };

/** The messages as their reader sees them. The same array where nothing is different. */
export function applyChanges(messages: readonly Message[], changes: readonly Change[]): readonly Message[] {
  if (changes.length === 0) return messages;
  const ids = new Set(changes.map(({ messageId }) => messageId));
  let changed = false;
  const shown = messages.map((message) => {
    if (!ids.has(message.id)) return message;
    const after = changes.filter(({ messageId }) => messageId === message.id).reduce(applyChange, message);
    changed ||= after !== message;
    return after;
  });
  return changed ? shown : messages;
}

function applyChange(message: Message, change: Change): Message {
  if (change.kind === "deleted") {
    // What it said went with it and comes back with the answer.
    const blank = !change.deleted && message.body === "" && message.attachments.length === 0;
    return blank || (message.deleted === true) === change.deleted ? message : { ...message, deleted: change.deleted };
  }
  // What was deleted meanwhile stays deleted.
  if (message.deleted) return message;
  if (change.kind === "body") return message.body === change.body ? message : { ...message, body: change.body, edited: true };
  const known = message.reactions ?? [];
  const reactions = withReaction(known, change);
  return reactions === known ? message : { ...message, reactions };
}

/** In the order in which the first of each came; one that nobody gives any more is gone. */
function withReaction(reactions: Reaction[], { emoji, accountId, on }: Extract<Change, { kind: "reaction" }>): Reaction[] {
  const known = reactions.find((one) => one.emoji === emoji);
  if ((known?.account_ids.includes(accountId) ?? false) === on) return reactions;
  if (!known) return [...reactions, { emoji, account_ids: [accountId] }];
  const account_ids = on ? [...known.account_ids, accountId] : known.account_ids.filter((id) => id !== accountId);
  return account_ids.length === 0 ? reactions.filter((one) => one !== known) : reactions.map((one) => (one === known ? { ...known, account_ids } : one));
}

export interface Changes<C = Change> {
  /** Shows a change until the returned function is called. */
  add(change: C): () => void;
  /** Runs after everything before it of the same message: what is chosen last is what stays. */
  inTurn<T>(messageId: number, run: () => Promise<T>): Promise<T>;
  /** The same array until something changes. */
  all(): readonly C[];
  onChange(listener: () => void): () => void;
}

const perClient = new WeakMap<QueryClient, Changes>();

export function changesOf(client: QueryClient): Changes {
  const known = perClient.get(client);
  if (known) return known;
  const changes = createChanges();
  perClient.set(client, changes);
  return changes;
}

export function createChanges<C = Change>(): Changes<C> {
  let entries: readonly C[] = [];
  const listeners = new Set<() => void>();
  const turns = new Map<number, Promise<unknown>>();
  const set = (next: readonly C[]) => {
    entries = next;
    for (const listener of listeners) listener();
  };
  return {
    add(change) {
      set([...entries, change]);
      return () => set(entries.filter((one) => one !== change));
    },
    async inTurn(messageId, run) {
      const before = turns.get(messageId) ?? Promise.resolve();
      const own = before.then(run, run);
      turns.set(messageId, own);
      try {
        return await own;
      } finally {
        if (turns.get(messageId) === own) turns.delete(messageId);
      }
    },
    all: () => entries,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
