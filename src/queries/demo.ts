import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useClient } from "../client/client.ts";
import { getDemo, createDemo } from "../api/demo.ts";
import { projectQueries } from "./projects.ts";
import { groupQueries } from "./teams.ts";

const POLL_INTERVAL_MS = 700;

const demoQuery = () =>
  queryOptions({
    queryKey: ["demo"],
    queryFn: ({ signal, meta }) => getDemo(meta!.client.api, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_INTERVAL_MS : false),
  });

/** Returns the demo's progress, polled while the demo is being created. */
export const useDemo = () => useQuery(demoQuery());

export function useCreateDemo() {
  const client = useClient();
  return useMutation({ mutationFn: () => createDemo(client.api), onSuccess: (demo) => client.queryClient.setQueryData(demoQuery().queryKey, demo) });
}

/** Refetches the lists that were loaded before the demo existed. */
export function useInvalidateLists(): () => Promise<unknown> {
  const client = useClient();
  return () => Promise.all([client.queryClient.invalidateQueries(projectQueries.all()), client.queryClient.invalidateQueries(groupQueries.all())]);
}
