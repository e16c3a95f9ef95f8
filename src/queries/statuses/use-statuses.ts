import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { ResponseOf } from "../../../contract/define-operation.ts";
import { listStatusChanges } from "../../../contract/operations/files.ts";
import * as operations from "../../../contract/operations/statuses.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { FileCommon, FileStatus } from "../../../contract/records.ts";
import type { BodyOf } from "../../api/http.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { CURSOR_PAGES, fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { reorderScope, statusKeys, toTeamStatuses, type TeamStatuses } from "./cache-updates.ts";

const HISTORY_PAGE_SIZE = 10;

/** Returns the status to which new versions take files back; undefined if the team has none. */
export const firstStatus = ({ statuses, defaultId }: TeamStatuses): FileStatus | undefined => statuses.find(({ id }) => id === defaultId) ?? statuses[0];

/** Returns the status that a new version gives a file; null if the status stays the same, or the team's settings are not loaded yet. */
export function statusAfterNewVersion(status: FileStatus | null, team: TeamStatuses | undefined): FileStatus | null {
  if (!team?.newVersionResetsStatus || status === null) return null;
  const first = firstStatus(team);
  return first && first.id !== status.id ? first : null;
}

const statusQueries = {
  /** The statuses of a team in their order. */
  team: (teamId: number) =>
    queryOptions({
      queryKey: statusKeys.team(teamId),
      queryFn: async ({ signal, meta }) => toTeamStatuses(await meta!.client.api.call(listFileStatuses, { body: { team_id: teamId } }, { signal })),
      staleTime: 5 * 60_000,
    }),
  /** Number of files with the status; while there are any, deleting the status requires a replacement. */
  usage: (statusId: number) =>
    queryOptions({
      queryKey: ["status-usage", statusId],
      queryFn: fetchData(operations.getFileStatusUsage, { params: { status_id: statusId } }),
      staleTime: 0,
      gcTime: 0,
    }),
  /** The file's status changes with author and time, newest first. The key contains the current `statusId`, so that a change reloads the history. */
  history: (fileId: number, statusId: number | null) =>
    infiniteQueryOptions({
      queryKey: [...statusKeys.history(fileId), statusId] as const,
      queryFn: ({ pageParam: cursor, signal, meta }) =>
        meta!.client.api.call(listStatusChanges, { params: { file_id: fileId }, query: { cursor, limit: HISTORY_PAGE_SIZE } }, { signal }),
      ...CURSOR_PAGES,
    }),
};

/** Returns a team's statuses, fetched only for users who may choose one. */
export const useStatuses = (teamId: number, canChoose: boolean) =>
  useQuery({ ...statusQueries.team(teamId), enabled: canChoose, select: ({ statuses }) => statuses });

/** Returns a team's statuses with the default of new uploads. */
export const useTeamStatuses = (teamId: number) => useQuery({ ...statusQueries.team(teamId), enabled: useHasFeature("statuses") });

/** Returns the status that a new version gives a file with this status in the team; null if the status stays the same. */
export const useStatusAfterNewVersion = (status: FileStatus | null, teamId: number): FileStatus | null =>
  statusAfterNewVersion(status, useTeamStatuses(teamId).data);

/** Returns a file's status changes with author and time, newest first. */
export const useStatusHistory = ({ id, status }: FileCommon) =>
  useInfiniteQuery({ ...statusQueries.history(id, status?.id ?? null), placeholderData: keepPreviousData });

/** Adds a status at the end; a retry after a lost response creates no second one. */
export const useCreateStatus = (teamId: number) =>
  useOperation(operations.createFileStatus, (body: BodyOf<typeof operations.createFileStatus>) => ({ params: { team_id: teamId }, body }), {
    isIdempotent: true,
    onSuccess: (client) => invalidateStatuses(client, teamId),
  });

/** Changes a status's title or color, wherever it is shown. */
export const useUpdateStatus = (teamId: number, statusId: number) =>
  useOperation(operations.updateFileStatus, (body: BodyOf<typeof operations.updateFileStatus>) => ({ params: { status_id: statusId }, body }), {
    onSuccess: (client) => invalidateStatuses(client, teamId),
  });

/** Reorders statuses: the list shows the new order at once, and a refetch after the last request or an error corrects it. */
export function useReorderStatuses(teamId: number) {
  const client = useClient();
  const order = useMutation({
    mutationFn: (ids: number[]) => client.api.call(operations.orderFileStatuses, { params: { team_id: teamId }, body: { ids } }),
    // Requests run one after the other, so that the last order wins.
    scope: { id: reorderScope(teamId) },
    onMutate: async (ids) => {
      await client.queryClient.cancelQueries({ queryKey: statusKeys.team(teamId) });
      client.queryClient.setQueryData<TeamStatuses>(
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
  const latest = (): readonly FileStatus[] => client.queryClient.getQueryData<TeamStatuses>(statusKeys.team(teamId))?.statuses ?? [];
  return { ...order, latest };
}

/**
 * Deletes a status and sets `replacementId` for its files. `onDone` is called even if the live event arrives first and the calling form has unmounted.
 */
export function useDeleteStatus(teamId: number, onDone: () => void) {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, replacementId }: { id: number; replacementId: number | undefined }) =>
      client.api.call(operations.deleteFileStatus, { params: { status_id: id }, query: { replacement_id: replacementId } }),
    onSuccess: (list) => {
      setStatuses(client, teamId)(list);
      onDone();
    },
  });
}

export function useSetDefaultStatus(teamId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (statusId: number | null) => client.api.call(operations.setDefaultFileStatus, { params: { team_id: teamId }, body: { status_id: statusId } }),
    // Requests run one after the other, so that the last choice wins.
    scope: { id: `default-status:${teamId}` },
    onSuccess: setStatuses(client, teamId),
  });
}

export const useSetVersionReset = (teamId: number) =>
  useOperation(operations.updateTeam, (isOn: boolean) => ({ params: { team_id: teamId }, body: { new_version_resets_status: isOn } }), {
    onSuccess: (client) => invalidateStatuses(client, teamId),
  });

/** Returns how many files have a status, fetched anew on every mount. */
export const useStatusUsage = (statusId: number) => useQuery({ ...statusQueries.usage(statusId), select: ({ file_count }) => file_count });

const setStatuses = (client: ClientData, teamId: number) => (list: ResponseOf<typeof listFileStatuses>) =>
  void client.queryClient.setQueryData(statusKeys.team(teamId), toTeamStatuses(list));
const invalidateStatuses = (client: ClientData, teamId: number) => client.queryClient.invalidateQueries({ queryKey: statusKeys.team(teamId) });
