/** Holds the pending status changes store of a query cache and its signed-in account. */
import type { QueryClient } from "@tanstack/react-query";
import { randomId } from "../../lib/random-id.ts";
import { TAB_ID } from "../outbox/this-tab.ts";
import { sessionQueries } from "../session/options.ts";
import { createStatusClaims } from "./choice-claims.ts";
import { createPendingStatusStore, type PendingStatusStore } from "./choice-keeper.ts";
import { createPendingStatusStorage } from "./choice-shelf.ts";
import { sendStatus, loadFileStatus } from "./set-status.ts";

let current: { client: QueryClient; accountId: number; store: PendingStatusStore } | null = null;

/** Returns the account's store, created on first use, and closes another account's store. */
export function getPendingStatusStore(client: QueryClient, accountId: number): PendingStatusStore {
  if (current?.client === client && current.accountId === accountId) return current.store;
  current?.store.close();
  const store = createPendingStatusStore({
    send: (change, file) => sendStatus(client, accountId, change, file),
    loadStatus: loadFileStatus,
    storage: createPendingStatusStorage(accountId, TAB_ID),
    claim: createStatusClaims(`talkback.status:${accountId}`, TAB_ID),
    newId: randomId,
  });
  current = { client, accountId, store };
  return store;
}

/** Closes the store once its account is no longer signed in. */
export function closePendingStatusStore(client: QueryClient): void {
  if (!current || client.getQueryData(sessionQueries.current().queryKey)?.account.id === current.accountId) return;
  current.store.close();
  current = null;
}
