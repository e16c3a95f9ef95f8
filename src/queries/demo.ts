import { queryOptions, useQuery } from "@tanstack/react-query";
import { createDemo, type Demo, getDemo, removeDemo } from "../../contract/operations/demo.ts";
import { useClient } from "../client/client.ts";
import { memberQueries } from "./members.ts";
import { fetchData, useOperation } from "./operations.ts";
import { projectQueries } from "./projects.ts";
import { groupQueries } from "./teams.ts";

const POLL_INTERVAL_MS = 700;

const demoQuery = () => queryOptions({ queryKey: ["demo"], queryFn: fetchData(getDemo, {}), staleTime: 0 });

const isChanging = (demo: Demo | undefined): boolean => demo?.state === "running" || demo?.state === "removing";

/** Returns the demo's progress, polled while the demo is being created or removed. */
export const useDemo = () => useQuery({ ...demoQuery(), refetchInterval: ({ state }) => (isChanging(state.data) ? POLL_INTERVAL_MS : false) });

/** Creates the demo project in the background; a repeated call returns its progress. */
export const useCreateDemo = () =>
  useOperation(createDemo, () => ({}), { onSuccess: ({ queryClient }, demo) => queryClient.setQueryData(demoQuery().queryKey, demo) });

/** Removes the demo in the background; a repeated call returns the progress. */
export const useRemoveDemo = () =>
  useOperation(removeDemo, () => ({}), { onSuccess: ({ queryClient }, demo) => queryClient.setQueryData(demoQuery().queryKey, demo) });

/** Refetches the lists that were loaded before the demo existed, or was removed. */
export function useInvalidateLists(): () => Promise<unknown> {
  const { queryClient } = useClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries(projectQueries.all()),
      queryClient.invalidateQueries(groupQueries.all()),
      queryClient.invalidateQueries(memberQueries.all()),
    ]);
}
