/** Applies files from responses and live events to every listing that shows them. */
import type { QueryKey } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { ClientData } from "../../client/client.ts";
import { type FileEvent, isSameStatus } from "../files/file-updates.ts";
import { patchQueryData, scheduleRefetch } from "../query-client.ts";
import { applyToFolders, movesSubtree, treeOf } from "./folder-tree.ts";
import { fileListKeys, isFiltered } from "./list-query.ts";
import { applyListingEvent, compareBy, type Listing, matchesQuery, updateEntry } from "./listing.ts";

/** Delays refetches of what events do not contain (item counts, some listings), so that a burst of events causes one request. */
const REFETCH_DELAY_MS = 2_000;

type FileListKey = ReturnType<(typeof fileListKeys)["folders" | "facets" | "list"]>;

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
    const [, projectId, kind, query] = queryKey as FileListKey;
    const next = state.data === undefined ? undefined : withFileEvent(client, queryKey, state.data as object, event);
    if (next) patchQueryData(client, queryKey, () => next);
    const hasMovedEntries = kind === "list" && isFiltered(query) && movedProjectIds.has(projectId);
    const hasOtherCounts = kind === "folders" && event.type !== "status" && event.type !== "unread";
    if (next === null || hasMovedEntries || hasOtherCounts) scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
  }
}

/** Returns the data under a key after the event: the same object when unaffected, null when the result must be refetched. */
function withFileEvent(client: ClientData, queryKey: QueryKey, data: object, event: FileEvent): object | null {
  const [, projectId, kind, query] = queryKey as FileListKey;
  if (kind === "folders") return applyToFolders(data as FileEntry[], projectId, event);
  if (kind !== "list") return data;
  const listing = data as Listing;
  if (event.type === "status")
    return updateEntry(listing, event.id, (entry) => (isSameStatus(entry.status, event.status) ? entry : { ...entry, status: event.status }));
  if (event.type === "unread")
    return updateEntry(listing, event.id, (entry) =>
      entry.has_unread_comments === event.hasUnread ? entry : { ...entry, has_unread_comments: event.hasUnread },
    );
  if (event.type !== "deleted" && event.entry.project_id !== projectId) return listing;
  const folders = client.queryClient.getQueryData<FileEntry[]>(fileListKeys.folders(projectId));
  return applyListingEvent(listing, event.type === "deleted" ? { removedId: event.id } : { entry: event.entry }, {
    compare: compareBy(query.sort, query.order),
    matches: (entry) => matchesQuery(query, folders && treeOf(folders), entry),
  });
}
