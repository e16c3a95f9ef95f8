/** Which messages this person has deleted in this browser and may still bring back: the service allows it for ten minutes. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { onRememberedElsewhere, recall, remember } from "../../lib/remembered.ts";
import { leftOf, RESTORE_MS, restorableIn, written, type Restorable } from "./restorable.ts";

interface Deleted {
  kept: readonly Restorable[];
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
  show(deleted, restorableIn(recall(nameFor(accountId)), Date.now()), accountId);
}

function show(deleted: Deleted, kept: readonly Restorable[], accountId: number): void {
  deleted.kept = kept;
  deleted.ids = new Set(kept.map(({ id }) => id));
  for (const [id, timer] of deleted.timers) {
    if (deleted.ids.has(id)) continue;
    clearTimeout(timer);
    deleted.timers.delete(id);
  }
  // Once begun it runs by a timer, since the clock may be wrong.
  for (const one of kept) {
    const { id } = one;
    if (!deleted.timers.has(id))
      deleted.timers.set(
        id,
        setTimeout(() => forget(deleted, accountId, id), leftOf(one, Date.now())),
      );
  }
  for (const listener of deleted.listeners) listener();
}

function keep(deleted: Deleted, accountId: number, kept: readonly Restorable[]): void {
  remember(nameFor(accountId), kept.length > 0 ? written(kept) : null);
  show(deleted, kept, accountId);
}

function forget(deleted: Deleted, accountId: number, messageId: number): void {
  if (!deleted.ids.has(messageId)) return;
  const others = deleted.kept.filter(({ id }) => id !== messageId);
  keep(deleted, accountId, others);
}

export function noteDeleted(client: QueryClient, accountId: number, messageId: number): void {
  const deleted = deletedOf(client, accountId);
  const others = deleted.kept.filter(({ id }) => id !== messageId);
  keep(deleted, accountId, [...others, { id: messageId, until: Date.now() + RESTORE_MS }]);
}

export function noteRestored(client: QueryClient, accountId: number, messageId: number): void {
  forget(deletedOf(client, accountId), accountId, messageId);
}

/** The messages that this person may still bring back. */
export function useDeletedHere(accountId: number): ReadonlySet<number> {
  const deleted = deletedOf(useQueryClient(), accountId);
  return useSyncExternalStore(
    (listener) => {
      deleted.listeners.add(listener);
      return () => deleted.listeners.delete(listener);
    },
    () => deleted.ids,
  );
}
