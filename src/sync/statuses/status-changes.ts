/** Holds the store of pending status changes for the signed-in account. The store's code is not in the first load: the views that use it bring it. */
import { createStore } from "../../lib/store.ts";
import type { PendingStatusStore } from "./pending-status-store.ts";

export type StatusChanges = ReturnType<typeof createStatusChanges>;

export function createStatusChanges(tabId: string) {
  let current: { accountId: number; store: PendingStatusStore } | null = null;
  function closeUnlessOf(accountId: number | undefined): void {
    if (!current || current.accountId === accountId) return;
    current.store.close();
    current = null;
  }
  return {
    tabId,
    /** Returns the account's store, created on first use, and closes the store of another account. */
    forAccount(accountId: number, create: (accountId: number) => PendingStatusStore): PendingStatusStore {
      closeUnlessOf(accountId);
      current ??= { accountId, store: create(accountId) };
      return current.store;
    },
    /** Closes the store unless it belongs to this account, so that nothing is sent for an account that has signed out. */
    closeUnlessOf,
    /** Number of places, by file id, that show the file's pending change. */
    inlineCounts: createStore<ReadonlyMap<number, number>>(new Map()),
  };
}
