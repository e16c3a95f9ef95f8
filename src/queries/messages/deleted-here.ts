/** Which messages this person has deleted in this browser and may still bring back: the service allows it for ten minutes. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Message } from "../../../contract/records.ts";
import { onRememberedElsewhere, recall, remember } from "../../lib/remembered.ts";
import { keptIn, leftOf, RESTORE_MS, tombstoneOf, written, type Kept } from "./tombstones.ts";

interface Deleted {
  kept: readonly Kept[];
  ids: ReadonlySet<number>;
  timers: Map<number, ReturnType<typeof setTimeout>>;
  listeners: Set<() => void>;
}
type Store = Map<number, Deleted>;
const perClient = new WeakMap<QueryClient, Store>();

const nameFor = (accountId: number) => `deleted.${accountId}`;

/** By account: what one person has deleted is nothing to the next who signs in here. */
function deletedOf(client: QueryClient, accountId: number): Deleted {
  const store: Store = perClient.get(client) ?? new Map<number, Deleted>();
  perClient.set(client, store);
  const known = store.get(accountId);
  if (known) return known;
  const deleted: Deleted = { kept: [], ids: new Set(), timers: new Map(), listeners: new Set() };
  store.set(accountId, deleted);
  read(deleted, accountId);
  onRememberedElsewhere((name) => name === nameFor(accountId) && read(deleted, accountId));
  return deleted;
}

function read(deleted: Deleted, accountId: number): void {
  show(deleted, keptIn(recall(nameFor(accountId)), Date.now()), accountId);
}

function show(deleted: Deleted, kept: readonly Kept[], accountId: number): void {
  deleted.kept = kept;
  deleted.ids = new Set(kept.map(({ message }) => message.id));
  for (const [id, timer] of deleted.timers) {
    if (deleted.ids.has(id)) continue;
    clearTimeout(timer);
    deleted.timers.delete(id);
  }
  // Once begun it runs by a timer, since the clock may be wrong.
  for (const one of kept) {
    const { id } = one.message;
    if (!deleted.timers.has(id))
      deleted.timers.set(
        id,
        setTimeout(() => forget(deleted, accountId, id), leftOf(one, Date.now())),
      );
  }
  for (const listener of deleted.listeners) listener();
}

function keep(deleted: Deleted, accountId: number, kept: readonly Kept[]): void {
  remember(nameFor(accountId), kept.length > 0 ? written(kept) : null);
  show(deleted, kept, accountId);
}

function forget(deleted: Deleted, accountId: number, messageId: number): void {
  if (deleted.kept.some(({ message }) => message.id === messageId))
    keep(
      deleted,
      accountId,
      deleted.kept.filter(({ message }) => message.id !== messageId),
    );
}

export function noteDeleted(client: QueryClient, accountId: number, message: Message): void {
  const deleted = deletedOf(client, accountId);
  const others = deleted.kept.filter(({ message: { id } }) => id !== message.id);
  keep(deleted, accountId, [...others, { message: tombstoneOf(message), until: Date.now() + RESTORE_MS }]);
}

export function noteRestored(client: QueryClient, accountId: number, messageId: number): void {
  forget(deletedOf(client, accountId), accountId, messageId);
}

function useDeleted<T>(accountId: number, pick: (deleted: Deleted) => T): T {
  const deleted = deletedOf(useQueryClient(), accountId);
  return useSyncExternalStore(
    (listener) => {
      deleted.listeners.add(listener);
      return () => deleted.listeners.delete(listener);
    },
    () => pick(deleted),
  );
}

/** The messages that this person may still bring back. */
export const useDeletedHere = (accountId: number): ReadonlySet<number> => useDeleted(accountId, ({ ids }) => ids);

/** What is remembered of them; the same array until that changes. */
export const useTombstones = (accountId: number): readonly Kept[] => useDeleted(accountId, ({ kept }) => kept);
