import type { Query, QueryClient } from "@tanstack/react-query";

const isFirstLoad = ({ promise, state }: Query): boolean => promise !== undefined && state.data === undefined && state.fetchStatus === "fetching";

/** Queries that are refetched when their first load ends. */
const awaitingFirstLoad = new WeakSet<Query>();

/** Refetches everything cached under this key. A first load in flight is not restarted; its query is refetched once, after it. */
export function invalidate(client: QueryClient, queryKey: readonly unknown[], exact = false): void {
  const firstLoads = client.getQueryCache().findAll({ queryKey, exact, predicate: isFirstLoad });
  for (const query of firstLoads) {
    if (awaitingFirstLoad.has(query)) continue;
    awaitingFirstLoad.add(query);
    void query.promise
      ?.catch(() => {})
      .then(() => {
        awaitingFirstLoad.delete(query);
        return client.invalidateQueries({ queryKey: query.queryKey, exact: true });
      });
  }
  void client.invalidateQueries({ queryKey, exact, predicate: (query) => !firstLoads.includes(query) });
}
