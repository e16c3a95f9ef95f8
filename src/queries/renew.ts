/** Asking again for what news has made old. */
import type { QueryClient } from "@tanstack/react-query";

/** What is cached under this key is loaded again. A first load that is under way is not started anew: what it brings is renewed once it is there. */
export function renew(client: QueryClient, queryKey: readonly unknown[], exact = false): void {
  const again = () => client.invalidateQueries({ queryKey, exact });
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query?.promise && query.state.data === undefined && query.state.fetchStatus === "fetching") void query.promise.catch(() => {}).then(again);
  else void again();
}
