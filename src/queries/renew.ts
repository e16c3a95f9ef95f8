/** Asking again for what news has made old. */
import type { Query, QueryClient } from "@tanstack/react-query";

const isFirstLoad = ({ promise, state }: Query): boolean => promise !== undefined && state.data === undefined && state.fetchStatus === "fetching";

/** What is cached under this key is loaded again. A first load that is under way is not started anew: what it brings is renewed once it is there. */
export function renew(client: QueryClient, queryKey: readonly unknown[], exact = false): void {
  const loading = client.getQueryCache().findAll({ queryKey, exact, predicate: isFirstLoad });
  for (const query of loading) void query.promise?.catch(() => {}).then(() => client.invalidateQueries({ queryKey: query.queryKey, exact: true }));
  void client.invalidateQueries({ queryKey, exact, predicate: (query) => !loading.includes(query) });
}
