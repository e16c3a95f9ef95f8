import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { pendingChangeFor, type PendingStatusChange } from "./choices.ts";
import type { PendingStatusStore } from "./choice-keeper.ts";
import { getPendingStatusStore, closePendingStatusStore } from "./choices-of.ts";

/** The keeper of what is chosen and does not count yet. */
export const usePendingStatusStore = (): PendingStatusStore => getPendingStatusStore(useQueryClient(), useSession().account.id);

/** Everything that is chosen and not settled. */
export function usePendingStatusChanges(): readonly PendingStatusChange[] {
  const store = usePendingStatusStore();
  return useSyncExternalStore(store.onChange, store.all);
}

/** What is chosen for this file and under way; undefined where nothing is. */
export function usePendingStatusChange(fileId: number): PendingStatusChange | undefined {
  const store = usePendingStatusStore();
  return useSyncExternalStore(store.onChange, () => pendingChangeFor(store.all(), fileId));
}

/** What is kept of whoever is signed in is told, and ends with their session. Once, in the shell. */
export function usePendingStatusSession(): void {
  const client = useQueryClient();
  usePendingStatusStore();
  useEffect(() => () => closePendingStatusStore(client), [client]);
}
