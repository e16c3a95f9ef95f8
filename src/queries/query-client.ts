/** Creates the page's one query cache with its retry policy, and refetches queries whose data is outdated. */
import { type Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";

const MAX_RETRIES = 3;
/** Maximum delay between the retries of `loadUntilSuccess`. */
const MAX_RELOAD_DELAY_MS = 5_000;

export const queryClient = new QueryClient({
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

/** Returns a getter of the one value that belongs to a query cache, which is created on first use. */
export function perClient<T extends object>(create: (client: QueryClient) => T): (client: QueryClient) => T {
  const values = new WeakMap<QueryClient, T>();
  return (client) => {
    const value = values.get(client) ?? create(client);
    values.set(client, value);
    return value;
  };
}

/** Records the changes made during loads, whose responses may lack them. */
export function createLoadRecorder<Change>() {
  const getLoads = perClient(() => new Set<Change[]>());
  return {
    /** Loads data and applies the changes made meanwhile, so that nothing shown disappears for a moment. */
    async loadWithChanges<T>(client: QueryClient, load: () => Promise<T>, apply: (data: T, change: Change) => T): Promise<T> {
      const changes: Change[] = [];
      getLoads(client).add(changes);
      try {
        const loaded = await load();
        return changes.reduce(apply, loaded);
      } finally {
        getLoads(client).delete(changes);
      }
    },
    /** Records a change for every load in flight. */
    recordChange(client: QueryClient, change: Change): void {
      for (const changes of getLoads(client)) changes.push(change);
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

/** Queries that are refetched when the load in flight ends. */
const awaitingLoad = new WeakSet<Query>();

/**
 * Refetches everything cached under this key. Does not restart a first load or the load of a further page in flight, which would discard its response, but
 * refetches its query once afterwards: the response may be older than the change, and a further page is appended to the pages cached at its request.
 */
export function invalidate(client: QueryClient, queryKey: readonly unknown[], exact = false): void {
  const loads = client.getQueryCache().findAll({ queryKey, exact, predicate: isLoadLostByRestart });
  for (const query of loads) {
    if (awaitingLoad.has(query)) continue;
    awaitingLoad.add(query);
    void query.promise
      ?.catch(() => {})
      .then(() => {
        awaitingLoad.delete(query);
        return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      });
  }
  void client.invalidateQueries({ queryKey, exact, predicate: (query) => !loads.includes(query) });
}

const isLoadLostByRestart = ({ promise, state }: Query): boolean =>
  promise !== undefined && state.fetchStatus === "fetching" && (state.data === undefined || state.fetchMeta?.fetchMore !== undefined);

/** Patches cached data. Invalidated data stays invalidated, and a patch that returns its argument notifies no observers. */
export function patchQueryData<T>(client: QueryClient, queryKey: readonly unknown[], patch: (data: T | undefined) => T | undefined): void {
  const before = client.getQueryState<T>(queryKey);
  const patched = patch(before?.data);
  if (patched === undefined || patched === before?.data) return;
  client.setQueryData(queryKey, patched);
  // `setQueryData` marks the data as valid, so the pending refetch would not happen.
  if (before?.isInvalidated) void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
}

/** Patches cached data and repeats a load in flight, whose response may be older than the change; for queries whose loads do not apply such changes. */
export function patchDataAndLoads<T>(client: QueryClient, queryKey: readonly unknown[], patch: (data: T | undefined) => T | undefined): void {
  patchQueryData(client, queryKey, patch);
  if (client.getQueryState(queryKey)?.fetchStatus === "fetching") invalidate(client, queryKey, true);
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
