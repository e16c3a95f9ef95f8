import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { pendingChangeFor, type PendingStatusChange } from "./choices.ts";
import type { PendingStatusStore } from "./choice-keeper.ts";
import { getPendingStatusStore, closePendingStatusStore } from "./choices-of.ts";

/** Returns the pending status changes store of the signed-in account. */
export const usePendingStatusStore = (): PendingStatusStore => getPendingStatusStore(useQueryClient(), useSession().account.id);

/** Returns all pending status changes. */
export function usePendingStatusChanges(): readonly PendingStatusChange[] {
  const store = usePendingStatusStore();
  return useSyncExternalStore(store.onChange, store.all);
}

/** Returns the pending status change of a file, or undefined. */
export function usePendingStatusChange(fileId: number): PendingStatusChange | undefined {
  const store = usePendingStatusStore();
  return useSyncExternalStore(store.onChange, () => pendingChangeFor(store.all(), fileId));
}

/** Restores the stored changes of the signed-in account, and closes their store when the session ends. Used once, in the app shell. */
export function usePendingStatusSession(): void {
  const client = useQueryClient();
  usePendingStatusStore();
  useEffect(() => () => closePendingStatusStore(client), [client]);
}
