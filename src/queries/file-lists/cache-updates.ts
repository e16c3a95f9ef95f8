/** Applies files from responses and live events to every listing that shows them. */
import type { FileEntry } from "../../../contract/file-records.ts";
import type { ClientData } from "../../client/client.ts";
import { patchQueryData, scheduleRefetch } from "../query-client.ts";
import { movesSubtree } from "./folder-tree.ts";
import type { FileEvent } from "../files/file-updates.ts";
import { withFileEvent } from "./apply-file-events.ts";
import { fileListKeys, type FileListQuery, isFiltered } from "./list-query.ts";

/** Delays refetches of what events do not contain (item counts, some listings), so that a burst of events causes one request. */
const REFETCH_DELAY_MS = 2_000;

/** Upserts a new or changed entry from a response. */
export const upsertEntry = (client: ClientData, entry: FileEntry): void => applyFileEvent(client, { type: "updated", entry });

/** Removes an entry with everything below it. */
export const removeEntry = (client: ClientData, id: number): void => applyFileEvent(client, { type: "deleted", id });

/** Applies an event to every cached listing and to the loads in flight. */
export function applyFileEvent(client: ClientData, event: FileEvent): void {
  client.queryState.loads.recordChange((queryKey, data) =>
    queryKey[0] === fileListKeys.all[0] ? (withFileEvent(client, queryKey, data as object, event) ?? data) : data,
  );
  const all = client.queryClient.getQueryCache().findAll({ queryKey: fileListKeys.all });
  const movedProjectIds = new Set(
    all.flatMap(({ queryKey: [, project, kind], state: { data } }) =>
      kind === "folders" && data && movesSubtree(data as FileEntry[], event) ? [project as number] : [],
    ),
  );
  // Filtered listings use the cached folders to match entries: a deletion updates the folders last, any other event updates them first.
  const ordered = all.toSorted((a, b) => Number(a.queryKey[2] === "folders") - Number(b.queryKey[2] === "folders"));
  for (const { queryKey, state } of event.type === "deleted" ? ordered : ordered.toReversed()) {
    const [, project, kind, query] = queryKey as [string, number, string, FileListQuery];
    if (state.data !== undefined) {
      const next = withFileEvent(client, queryKey, state.data as object, event);
      if (next === null) scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
      else patchQueryData(client, queryKey, () => next);
    }
    if (kind === "list" && isFiltered(query) && movedProjectIds.has(project)) scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
    if (kind === "folders" && event.type !== "status" && event.type !== "unread") scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
  }
}
