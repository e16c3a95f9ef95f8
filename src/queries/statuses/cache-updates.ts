/** Applies live changes of a team's statuses to every cache that shows one. */
import type { ResponseOf } from "../../../contract/define-operation.ts";
import type { EventData } from "../../../contract/events.ts";
import type { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { FileInfoResponse, FileStatus } from "../../../contract/records.ts";
import type { ClientData } from "../../client/client.ts";
import { fileListKeys } from "../file-lists/list-query.ts";
import { fileKeys } from "../files/cache-updates.ts";
import { attachmentStatus, mapAttachments, withInfoStatus, withStatus } from "../files/file-updates.ts";
import { patchAllHistories } from "../messages/cache-updates.ts";
import { invalidate, patchDataAndLoads } from "../query-client.ts";

export const statusKeys = {
  all: ["statuses"] as const,
  team: (teamId: number) => ["statuses", teamId] as const,
  history: (fileId: number) => [...fileKeys.file(fileId), "status-history"] as const,
};

export interface TeamStatuses {
  /** In the team's order. */
  statuses: FileStatus[];
  /** Status of new uploads; null if there is none or the service does not return it. */
  defaultId: number | null;
  /** Whether a new version resets a file's status; null if the service does not do that. */
  newVersionResetsStatus: boolean | null;
}

export const toTeamStatuses = (list: Pick<ResponseOf<typeof listFileStatuses>, "data" | "default_status_id" | "new_version_resets_status">): TeamStatuses => ({
  statuses: list.data,
  defaultId: list.default_status_id ?? null,
  newVersionResetsStatus: list.new_version_resets_status ?? null,
});

/** Returns the mutation scope in which a team's reorder requests run one after the other. */
export const reorderScope = (teamId: number): string => `statuses:${teamId}`;

type StatusesChanged = EventData<"statuses.changed">;

/** Returns a file's status as it is now: renamed, recolored or replaced. */
export function currentStatus(previous: FileStatus | null, { statuses, replaced }: Pick<StatusesChanged, "statuses" | "replaced">): FileStatus | null {
  if (previous === null) return null;
  const id = replaced?.status_id === previous.id ? replaced.replacement_id : previous.id;
  return statuses.find((status) => status.id === id) ?? previous;
}

/** Sorts statuses by a given order; those missing in it come last. */
function sortLike(order: readonly FileStatus[], statuses: readonly FileStatus[]): FileStatus[] {
  const rank = ({ id }: FileStatus) => {
    const index = order.findIndex((status) => status.id === id);
    return index < 0 ? order.length : index;
  };
  return statuses.toSorted((a, b) => rank(a) - rank(b));
}

export function applyTeamStatuses(client: ClientData, event: StatusesChanged): void {
  // While the user moves a row here, an event about an earlier order must not change the order.
  const isReordering = client.queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === reorderScope(event.team_id) }) > 0;
  patchDataAndLoads<TeamStatuses>(client, statusKeys.team(event.team_id), (cached) => {
    const current = toTeamStatuses({ ...event, data: event.statuses });
    return isReordering && cached ? { ...current, statuses: sortLike(cached.statuses, event.statuses) } : current;
  });
  patchAllHistories(client, (history) =>
    mapAttachments(history, (attachment) => {
      const previous = attachmentStatus(attachment);
      return previous ? withStatus(currentStatus(previous, event))(attachment) : attachment;
    }),
  );
  for (const { queryKey } of client.queryClient.getQueryCache().findAll({ queryKey: fileKeys.all, predicate: ({ queryKey: key }) => key[2] === "info" })) {
    patchDataAndLoads<FileInfoResponse>(client, queryKey, (info) => info && withInfoStatus(info, currentStatus(info.common.status, event)));
  }
  void client.queryClient.invalidateQueries({ queryKey: fileKeys.all, predicate: ({ queryKey: key }) => key[2] === "status-history" });
  // Listings sort and filter by statuses.
  invalidate(client, fileListKeys.all);
}
