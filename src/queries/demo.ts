import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getDemo, createDemo } from "../api/demo.ts";
import { projectQueries } from "./projects.ts";
import { groupQueries } from "./teams.ts";

const POLL_INTERVAL_MS = 700;

const demoQuery = () =>
  queryOptions({
    queryKey: ["demo"],
    queryFn: ({ signal }) => getDemo({ signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? POLL_INTERVAL_MS : false),
  });

/** Returns the demo's progress, polled while the demo is being created. */
export const useDemo = () => useQuery(demoQuery());

export function useCreateDemo() {
  const client = useQueryClient();
  return useMutation({ mutationFn: createDemo, onSuccess: (demo) => client.setQueryData(demoQuery().queryKey, demo) });
}

/** Refetches the lists that were loaded before the demo existed. */
export function useInvalidateLists(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([client.invalidateQueries(projectQueries.all()), client.invalidateQueries(groupQueries.all())]);
}
