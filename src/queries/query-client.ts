/** Creates the query cache with its retry policy, patches its data, and refetches queries whose data is outdated. */
import { hashKey, partialMatchKey, type Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";
import type { ClientData } from "../client/client.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** Passed to every query function. */
    queryMeta: { client: ClientData };
  }
}

const MAX_RETRIES = 3;
/** Maximum delay between the retries of `loadUntilSuccess`. */
const MAX_RELOAD_DELAY_MS = 5_000;

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: shouldRetry,
        retryDelay,
        // The browser's online status does not cover a service on the local network.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });

type LoadChange = (queryKey: readonly unknown[], data: unknown) => unknown;

export function createLoadRecorder() {
  const loads = new Set<LoadChange[]>();
  return {
    /** Loads the data of a query and applies the changes made meanwhile, so that nothing shown disappears for a moment. */
    async loadWithChanges<T>(queryKey: readonly unknown[], load: () => Promise<T>): Promise<T> {
      const changes: LoadChange[] = [];
      loads.add(changes);
      try {
        const loaded = await load();
        return changes.reduce((data, change) => change(queryKey, data) as typeof loaded, loaded);
      } finally {
        loads.delete(changes);
      }
    },
    /** Records a change for every load in flight, whose response may lack it. It returns the data of a query that it does not change. */
    recordChange(change: LoadChange) {
      for (const changes of loads) changes.push(change);
    },
  };
}

/** Retries only errors that may go away without any change to the request. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  return failureCount < MAX_RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Returns the delay in milliseconds before retry `failureCount + 1`: the service's Retry-After (at most 30 s), else 0.5, 1, 2 s. */
export function retryDelay(failureCount: number, error: unknown): number {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfter : undefined;
  return retryAfterSeconds === undefined ? 500 * 2 ** failureCount : Math.min(retryAfterSeconds, 30) * 1000;
}

/**
 * Refetches everything cached under this key. Does not restart a first load or the load of a further page in flight, which would discard its response, but
 * refetches its query once afterwards: the response may be older than the change, and a further page is appended to the pages cached at its request.
 */
export function invalidate({ queryClient, queryState }: ClientData, queryKey: readonly unknown[], exact = false): void {
  const { awaitingLoad } = queryState.refetches;
  const loads = queryClient.getQueryCache().findAll({ queryKey, exact, predicate: isLoadLostByRestart });
  for (const { queryHash, queryKey: loadedKey, promise } of loads) {
    if (awaitingLoad.has(queryHash)) continue;
    awaitingLoad.add(queryHash);
    void promise
      ?.catch(() => {})
      .then(() => {
        awaitingLoad.delete(queryHash);
        return queryClient.invalidateQueries({ queryKey: loadedKey, exact: true });
      });
  }
  void queryClient.invalidateQueries({ queryKey, exact, predicate: (query) => !loads.includes(query) });
}

/** Refetches a query after a delay, so that a burst of changes causes one request. */
export function scheduleRefetch(client: ClientData, queryKey: readonly unknown[], delayMs: number): void {
  const { scheduled } = client.queryState.refetches;
  const hash = hashKey(queryKey);
  if (scheduled.has(hash)) return;
  const refetch = () => {
    scheduled.delete(hash);
    invalidate(client, queryKey, true);
  };
  scheduled.set(hash, setTimeout(refetch, delayMs));
}

const isLoadLostByRestart = ({ promise, state }: Query): boolean =>
  promise !== undefined && state.fetchStatus === "fetching" && (state.data === undefined || state.fetchMeta?.fetchMore !== undefined);

/** Patches cached data. Invalidated data stays invalidated, and a patch that returns its argument notifies no observers. */
export function patchQueryData<T>(client: ClientData, queryKey: readonly unknown[], patch: (data: T | undefined) => T | undefined): void {
  const before = client.queryClient.getQueryState<T>(queryKey);
  const patched = patch(before?.data);
  if (patched === undefined || patched === before?.data) return;
  client.queryClient.setQueryData(queryKey, patched);
  // `setQueryData` marks the data as valid, so the pending refetch would not happen.
  if (before?.isInvalidated) void client.queryClient.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

/** Patches everything cached under this key and the loads of it in flight, whose functions apply recorded changes (`loadWithChanges`). */
export function patchRecordingLoads<T>(client: ClientData, queryKey: readonly unknown[], patch: (data: T) => T): void {
  client.queryState.loads.recordChange((loadedKey, data) => (partialMatchKey(loadedKey, queryKey) ? patch(data as T) : data));
  for (const query of client.queryClient.getQueryCache().findAll({ queryKey }))
    patchQueryData<T>(client, query.queryKey, (data) => (data === undefined ? data : patch(data)));
}

/** Patches cached data and repeats a load in flight, whose response may be older than the change; for queries whose loads do not apply such changes. */
export function patchDataAndLoads<T>(client: ClientData, queryKey: readonly unknown[], patch: (data: T | undefined) => T | undefined): void {
  patchQueryData(client, queryKey, patch);
  if (client.queryClient.getQueryState(queryKey)?.fetchStatus === "fetching") invalidate(client, queryKey, true);
}

/** Retries a reload until it succeeds, since no event will deliver the missing data; throws when the service rejects it or `signal` aborts. */
export async function loadUntilSuccess<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failureCount = 0; ; failureCount += 1) {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError && error.isTemporary)) throw error;
      const delayMs = Math.min(retryDelay(failureCount, error), MAX_RELOAD_DELAY_MS);
      await new Promise((resolve, reject) => {
        setTimeout(resolve, delayMs);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
  }
}
