/** Provides the pending status changes of the signed-in account, their storage in this browser, and the locks by which one page claims a change. */
import { useEffect, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { fileStatus } from "../../../contract/records.ts";
import { type Client, type ClientData, useClient } from "../../client/client.ts";
import { getPersisted, onPersistedChange, setPersisted } from "../../lib/local-storage.ts";
import { parseJson } from "../../lib/parse-json.ts";
import { acquireLock } from "../../lib/locks.ts";
import { useStore } from "../../lib/store.ts";
import { randomId } from "../../lib/random-id.ts";
import { sessionQueries, useSession } from "../../queries/session.ts";
import { pendingChangeFor, type PendingStatusChange, type StoredStatusChange } from "./pending-status-changes.ts";
import { createPendingStatusStore, type PendingStatusStorage, type PendingStatusStore, type StatusClaims } from "./pending-status-store.ts";
import { loadFileStatus, sendStatus } from "./send-status.ts";

/** A change is sent within seconds, so one that another tab stored longer ago than this counts as abandoned. */
const ABANDONED_AFTER_MS = 20_000;

/** Creates the store of an account's pending status changes; `forAccount` of the client's `statusChanges` calls it on first use. */
export const createStoreOfAccount =
  (client: ClientData & Pick<Client, "statusChanges">) =>
  (accountId: number): PendingStatusStore =>
    createPendingStatusStore({
      send: (change, file) => sendStatus(client, accountId, change, file),
      loadStatus: (fileId) => loadFileStatus(client.api, fileId),
      storage: createPendingStatusStorage(client.api.storageName(`status-choices.${accountId}`), client.statusChanges.tabId),
      claims: createStatusClaims(client.api.storageName(`talkback.status:${accountId}`), client.statusChanges.tabId),
      newId: randomId,
    });

/** Returns the pending status changes store of the signed-in account. */
export function usePendingStatusStore(): PendingStatusStore {
  const client = useClient();
  return client.statusChanges.forAccount(useSession().account.id, createStoreOfAccount(client));
}

/** Returns all pending status changes. */
export const usePendingStatusChanges = (): readonly PendingStatusChange[] => useStore(usePendingStatusStore());

/** Returns the pending status change of a file, or undefined. */
export function usePendingStatusChange(fileId: number): PendingStatusChange | undefined {
  const { subscribe, get } = usePendingStatusStore();
  return useSyncExternalStore(subscribe, () => pendingChangeFor(get(), fileId));
}

/** Restores the stored changes of the signed-in account, and closes their store when the session ends. Used once, in the app shell. */
export function usePendingStatusSession(): void {
  const { queryClient, statusChanges } = useClient();
  usePendingStatusStore();
  useEffect(() => () => statusChanges.closeUnlessOf(queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id), [queryClient, statusChanges]);
}

const storedChangeSchema = z.object({
  id: z.string(),
  teamId: z.int(),
  status: fileStatus,
  note: z.string(),
  files: z.array(z.object({ id: z.int(), name: z.string(), before: z.nullable(fileStatus) })).check(z.minLength(1)),
  at: z.number(),
  tab: z.string(),
});

/** Stores an account's changes in this browser under the name `key`; they are small enough to be written synchronously with the click. */
export function createPendingStatusStorage(key: string, tab: string): PendingStatusStorage {
  function all(): StoredStatusChange[] {
    const list = parseJson(getPersisted(key) ?? "");
    return (Array.isArray(list) ? list : []).flatMap((item) => storedChangeSchema.safeParse(item).data ?? []);
  }
  const write = (list: readonly StoredStatusChange[]) => setPersisted(key, list.length === 0 ? null : JSON.stringify(list));
  return {
    all,
    save({ id, teamId, status, note, files }) {
      write([...all().filter((item) => item.id !== id), { id, teamId, status, note, files, at: Date.now(), tab }]);
    },
    remove(id) {
      const list = all();
      if (list.some((item) => item.id === id)) write(list.filter((item) => item.id !== id));
    },
    onExternalChange(listener) {
      return onPersistedChange((changedKey) => changedKey === key && listener());
    },
  };
}

/** Claims changes for one page: by the browser's locks, which end with their page, or by time where there are none. */
export function createStatusClaims(name: string, tab: string, locks: LockManager | null = globalThis.navigator?.locks ?? null): StatusClaims {
  if (!locks)
    return {
      claimNew: () => () => {},
      claimStored(stored, onAcquired) {
        // A reload keeps the tab's id.
        const timer = setTimeout(onAcquired, stored.tab === tab ? 0 : Math.max(0, stored.at + ABANDONED_AFTER_MS - Date.now()));
        return () => clearTimeout(timer);
      },
    };
  function claim(id: string, onAcquired?: () => void): () => void {
    const abortController = new AbortController();
    const { signal } = abortController;
    const acquired = acquireLock(`${name}:${id}`, { signal, locks: locks! });
    void acquired.then((release) => release && !signal.aborted && onAcquired?.());
    return () => {
      abortController.abort();
      void acquired.then((release) => release?.());
    };
  }
  return { claimNew: (id) => claim(id), claimStored: ({ id }, onAcquired) => claim(id, onAcquired) };
}
