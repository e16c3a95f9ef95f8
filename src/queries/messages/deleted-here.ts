/** Which messages this person has deleted here and may still bring back: the service allows it for ten minutes. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { LIMITS } from "../../../contract/limits.ts";

const RESTORE_MS = LIMITS.message_restore_seconds * 1_000;

interface Deleted {
  ids: ReadonlySet<number>;
  listeners: Set<() => void>;
}
const perClient = new WeakMap<QueryClient, Deleted>();

function deletedOf(client: QueryClient): Deleted {
  const known = perClient.get(client) ?? { ids: new Set(), listeners: new Set() };
  perClient.set(client, known);
  return known;
}

function set(client: QueryClient, ids: ReadonlySet<number>): void {
  const deleted = deletedOf(client);
  deleted.ids = ids;
  for (const listener of deleted.listeners) listener();
}

/** Counts by a timer, since the clock may be wrong. */
export function noteDeleted(client: QueryClient, messageId: number): void {
  set(client, new Set(deletedOf(client).ids).add(messageId));
  setTimeout(() => noteRestored(client, messageId), RESTORE_MS);
}

export function noteRestored(client: QueryClient, messageId: number): void {
  const { ids } = deletedOf(client);
  if (ids.has(messageId)) set(client, new Set([...ids].filter((id) => id !== messageId)));
}

/** The messages that this person may still bring back. */
export function useDeletedHere(): ReadonlySet<number> {
  const deleted = deletedOf(useQueryClient());
  return useSyncExternalStore(
    (listener) => {
      deleted.listeners.add(listener);
      return () => deleted.listeners.delete(listener);
    },
    () => deleted.ids,
  );
}
