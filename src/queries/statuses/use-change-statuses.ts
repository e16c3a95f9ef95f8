import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import * as api from "../../api/statuses.ts";
import type { TeamStatuses } from "../../api/statuses.ts";
import type { FileStatus } from "../../../contract/records.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { reorderScope, statusKeys } from "./keys.ts";
import { statusQueries } from "./options.ts";

const setStatuses = (client: QueryClient, teamId: number) => (list: TeamStatuses) => void client.setQueryData(statusKeys.team(teamId), list);
const invalidateStatuses = (client: QueryClient, teamId: number) => client.invalidateQueries({ queryKey: statusKeys.team(teamId) });

export interface StatusInput {
  title: string;
  color: number;
}

/** A new status, at the end. Pressing again after a lost answer makes it once. */
export function useCreateStatus(teamId: number) {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (input: StatusInput) => api.createFileStatus(teamId, input, { idempotencyKey: idempotencyKeyFor(input) }),
    onSuccess: () => invalidateStatuses(client, teamId),
  });
}

/** Another name or colour, wherever the status is shown. */
export function useUpdateStatus(teamId: number, statusId: number) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (input: StatusInput) => api.updateFileStatus(statusId, input), onSuccess: () => invalidateStatuses(client, teamId) });
}

/** Another order: shown at once, put right by the answer, or by the service where it refuses. */
export function useReorderStatuses(teamId: number) {
  const client = useQueryClient();
  const order = useMutation({
    mutationFn: (ids: number[]) => api.orderFileStatuses(teamId, ids),
    // One after the other, so that the last order is what stays.
    scope: { id: reorderScope(teamId) },
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: statusKeys.team(teamId) });
      client.setQueryData<TeamStatuses>(
        statusKeys.team(teamId),
        (list) => list && { ...list, statuses: list.statuses.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) },
      );
    },
    onError: () => invalidateStatuses(client, teamId),
    onSettled: () => {
      // Somebody who moves a row by keys asks many times: only the last answer is looked at.
      if (client.isMutating({ predicate: ({ options }) => options.scope?.id === reorderScope(teamId) }) === 1) void invalidateStatuses(client, teamId);
    },
  });
  /** The order as it is known now: keys come faster than it is drawn. */
  const latest = (): readonly FileStatus[] => client.getQueryData<TeamStatuses>(statusKeys.team(teamId))?.statuses ?? [];
  return { ...order, latest };
}

/** `replacementId`: what its files get instead. `onDone` is called also where the live channel was faster, and the form that asked is gone. */
export function useDeleteStatus(teamId: number, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, replacementId }: { id: number; replacementId: number | undefined }) => api.deleteFileStatus(id, replacementId),
    onSuccess: (list) => {
      setStatuses(client, teamId)(list);
      onDone();
    },
  });
}

export function useSetDefaultStatus(teamId: number) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (statusId: number | null) => api.setDefaultFileStatus(teamId, statusId), onSuccess: setStatuses(client, teamId) });
}

/** How many files have a status, asked anew whenever it matters. */
export const useStatusUsage = (statusId: number) => useQuery(statusQueries.usage(statusId));
