import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { FileCommon, FileStatus } from "../../../contract/records.ts";
import { type Client, useClient } from "../../client/client.ts";
import * as api from "../../api/statuses.ts";
import { fileKeys } from "../files/cache-updates.ts";
import { useIdempotencyKey } from "../use-idempotency-key.ts";

const HISTORY_PAGE_SIZE = 10;

export const statusKeys = {
  team: (teamId: number) => ["statuses", teamId] as const,
  history: (fileId: number) => [...fileKeys.file(fileId), "status-history"] as const,
};

const statusQueries = {
  /** The statuses of a team in their order. */
  team: (teamId: number) =>
    queryOptions({
      queryKey: statusKeys.team(teamId),
      queryFn: ({ signal, meta }) => api.listFileStatuses(meta!.client.api, teamId, { signal }),
      staleTime: 5 * 60_000,
    }),
  /** Number of files with the status; while there are any, deleting the status requires a replacement. */
  usage: (statusId: number) =>
    queryOptions({
      queryKey: ["status-usage", statusId],
      queryFn: ({ signal, meta }) => api.getFileStatusUsage(meta!.client.api, statusId, { signal }),
      staleTime: 0,
      gcTime: 0,
    }),
  /** The file's status changes with author and time, newest first. The key contains the current `statusId`, so that a change reloads the history. */
  history: (fileId: number, statusId: number | null) =>
    infiniteQueryOptions({
      queryKey: [...statusKeys.history(fileId), statusId] as const,
      queryFn: ({ pageParam, signal, meta }) => api.listStatusChanges(meta!.client.api, fileId, { cursor: pageParam, limit: HISTORY_PAGE_SIZE }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    }),
};

interface StatusInput {
  title: string;
  color: number;
}

/** Returns a team's statuses, fetched only for users who may choose one. */
export const useStatuses = (teamId: number, canChoose: boolean) =>
  useQuery({ ...statusQueries.team(teamId), enabled: canChoose, select: ({ statuses }) => statuses });

/** Returns a team's statuses with the default of new uploads. */
export const useTeamStatuses = (teamId: number) => useQuery(statusQueries.team(teamId));

/** Returns a file's status changes with author and time, newest first. */
export const useStatusHistory = ({ id, status }: FileCommon) =>
  useInfiniteQuery({ ...statusQueries.history(id, status?.id ?? null), placeholderData: keepPreviousData });

/** Adds a status at the end; a retry after a lost response creates no second one. */
export function useCreateStatus(teamId: number) {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (input: StatusInput) => api.createFileStatus(client.api, teamId, input, { idempotencyKey: idempotencyKeyFor(input) }),
    onSuccess: () => invalidateStatuses(client, teamId),
  });
}

/** Changes a status's title or color, wherever it is shown. */
export function useUpdateStatus(teamId: number, statusId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (input: StatusInput) => api.updateFileStatus(client.api, statusId, input),
    onSuccess: () => invalidateStatuses(client, teamId),
  });
}

/** Reorders statuses: the list shows the new order at once, and a refetch after the last request or an error corrects it. */
export function useReorderStatuses(teamId: number) {
  const client = useClient();
  const order = useMutation({
    mutationFn: (ids: number[]) => api.orderFileStatuses(client.api, teamId, ids),
    // Requests run one after the other, so that the last order wins.
    scope: { id: reorderScope(teamId) },
    onMutate: async (ids) => {
      await client.queryClient.cancelQueries({ queryKey: statusKeys.team(teamId) });
      client.queryClient.setQueryData<api.TeamStatuses>(
        statusKeys.team(teamId),
        (list) => list && { ...list, statuses: list.statuses.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) },
      );
    },
    onError: () => invalidateStatuses(client, teamId),
    onSettled: () => {
      // Moving a row by keyboard sends many requests, of which only the last one refetches.
      if (client.queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === reorderScope(teamId) }) === 1)
        void invalidateStatuses(client, teamId);
    },
  });
  /** Returns the order in the cache, since key presses outpace rendering. */
  const latest = (): readonly FileStatus[] => client.queryClient.getQueryData<api.TeamStatuses>(statusKeys.team(teamId))?.statuses ?? [];
  return { ...order, latest };
}

/**
 * Deletes a status and sets `replacementId` for its files. `onDone` is called even if the live event arrives first and the calling form has unmounted.
 */
export function useDeleteStatus(teamId: number, onDone: () => void) {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, replacementId }: { id: number; replacementId: number | undefined }) => api.deleteFileStatus(client.api, id, replacementId),
    onSuccess: (list) => {
      setStatuses(client, teamId)(list);
      onDone();
    },
  });
}

export function useSetDefaultStatus(teamId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (statusId: number | null) => api.setDefaultFileStatus(client.api, teamId, statusId),
    // Requests run one after the other, so that the last choice wins.
    scope: { id: `default-status:${teamId}` },
    onSuccess: setStatuses(client, teamId),
  });
}

/** Returns how many files have a status, fetched anew on every mount. */
export const useStatusUsage = (statusId: number) => useQuery(statusQueries.usage(statusId));

/** Returns the mutation scope in which a team's reorder requests run one after the other. */
export const reorderScope = (teamId: number): string => `statuses:${teamId}`;

const setStatuses = (client: Client, teamId: number) => (list: api.TeamStatuses) => void client.queryClient.setQueryData(statusKeys.team(teamId), list);
const invalidateStatuses = (client: Client, teamId: number) => client.queryClient.invalidateQueries({ queryKey: statusKeys.team(teamId) });
