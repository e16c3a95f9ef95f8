import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getFileStatusUsage, listFileStatuses, statusHistory } from "../../api/statuses.ts";
import { statusKeys } from "./keys.ts";

const HISTORY_PAGE = 10;

export const statusQueries = {
  /** The statuses of a team in their order. */
  team: (teamId: number) =>
    queryOptions({ queryKey: statusKeys.team(teamId), queryFn: ({ signal }) => listFileStatuses(teamId, { signal }), staleTime: 5 * 60_000 }),
  /** How many files have the status, which decides what deleting it means. */
  usage: (statusId: number) =>
    queryOptions({ queryKey: ["status-usage", statusId], queryFn: ({ signal }) => getFileStatusUsage(statusId, { signal }), staleTime: 0, gcTime: 0 }),
  /** Who set which status when, newest first. `statusId` is the file's current status, so that a new status loads the longer history. */
  history: (fileId: number, statusId: number | null) =>
    infiniteQueryOptions({
      queryKey: [...statusKeys.history(fileId), statusId] as const,
      queryFn: ({ pageParam, signal }) => statusHistory(fileId, { cursor: pageParam, limit: HISTORY_PAGE }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    }),
};
