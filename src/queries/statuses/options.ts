import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getFileStatusUsage, listFileStatuses, statusHistory } from "../../api/statuses.ts";
import { statusKeys } from "./keys.ts";

const HISTORY_PAGE = 10;

export const statusQueries = {
  /** The statuses that a team gives its files, in their order. */
  team: (teamId: number) =>
    queryOptions({ queryKey: statusKeys.team(teamId), queryFn: ({ signal }) => listFileStatuses(teamId, { signal }), staleTime: 5 * 60_000 }),
  /** How many files have one: it decides what deleting means. */
  usage: (statusId: number) =>
    queryOptions({ queryKey: ["status-usage", statusId], queryFn: ({ signal }) => getFileStatusUsage(statusId, { signal }), staleTime: 0, gcTime: 0 }),
  /** Who set which status when, newest first; `statusId` is the one that the file has now: another one is a longer history. */
  history: (fileId: number, statusId: number | null) =>
    infiniteQueryOptions({
      queryKey: [...statusKeys.history(fileId), statusId] as const,
      queryFn: ({ pageParam, signal }) => statusHistory(fileId, { cursor: pageParam, limit: HISTORY_PAGE }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    }),
};
