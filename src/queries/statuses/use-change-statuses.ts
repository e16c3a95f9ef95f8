import { useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import * as api from "../../api/statuses.ts";
import type { TeamStatuses } from "../../api/statuses.ts";
import type { FileStatus } from "../../../contract/records.ts";
import { useKeyPerBody } from "../key-per-body.ts";
import { orderScope, statusKeys } from "./keys.ts";
import { statusQueries } from "./options.ts";

const put = (client: QueryClient, teamId: number) => (list: TeamStatuses) => void client.setQueryData(statusKeys.ofTeam(teamId), list);
const again = (client: QueryClient, teamId: number) => client.invalidateQueries({ queryKey: statusKeys.ofTeam(teamId) });

export interface StatusLook {
  title: string;
  color: number;
}

/** A new status, at the end. Pressing again after a lost answer makes it once. */
export function useCreateStatus(teamId: number) {
  const client = useQueryClient();
  const keyOf = useKeyPerBody();
  return useMutation({
    mutationFn: (look: StatusLook) => api.createFileStatus(teamId, look, { idempotencyKey: keyOf(look) }),
    onSuccess: () => again(client, teamId),
  });
}

/** Another name or colour, wherever the status is shown. */
export function useUpdateStatus(teamId: number, statusId: number) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (look: StatusLook) => api.updateFileStatus(statusId, look), onSuccess: () => again(client, teamId) });
}

/** Another order: shown at once, put right by the answer, or by the service where it refuses. */
export function useOrderStatuses(teamId: number) {
  const client = useQueryClient();
  const order = useMutation({
    mutationFn: (ids: number[]) => api.orderFileStatuses(teamId, ids),
    // One after the other, so that the last order is what stays.
    scope: { id: orderScope(teamId) },
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: statusKeys.ofTeam(teamId) });
      client.setQueryData<TeamStatuses>(
        statusKeys.ofTeam(teamId),
        (list) => list && { ...list, statuses: list.statuses.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) },
      );
    },
    onError: () => again(client, teamId),
    onSettled: () => {
      // Somebody who moves a row by keys asks many times: only the last answer is looked at.
      if (client.isMutating({ predicate: ({ options }) => options.scope?.id === orderScope(teamId) }) === 1) void again(client, teamId);
    },
  });
  /** The order as it is known now: keys come faster than it is drawn. */
  const latest = (): readonly FileStatus[] => client.getQueryData<TeamStatuses>(statusKeys.ofTeam(teamId))?.statuses ?? [];
  return { ...order, latest };
}

/** `replacementId`: what its files get instead. `onDone` is called also where the live channel was faster, and the form that asked is gone. */
export function useDeleteStatus(teamId: number, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, replacementId }: { id: number; replacementId: number | undefined }) => api.deleteFileStatus(id, replacementId),
    onSuccess: (list) => {
      put(client, teamId)(list);
      onDone();
    },
  });
}

export function useSetDefaultStatus(teamId: number) {
  const client = useQueryClient();
  return useMutation({ mutationFn: (statusId: number | null) => api.setDefaultFileStatus(teamId, statusId), onSuccess: put(client, teamId) });
}

/** How many files have a status, asked anew whenever it matters. */
export const useStatusUsage = (statusId: number) => useQuery(statusQueries.usage(statusId));
