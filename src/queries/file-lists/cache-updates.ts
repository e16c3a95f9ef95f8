/** Applies files from responses and live events to every listing that shows them. */
import type { QueryKey } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { MetadataChanges, MetadataUpdate, MetadataValue, MetadataValues } from "../../../contract/metadata-records.ts";
import type { ClientData } from "../../client/client.ts";
import { type FileEvent, isSameStatus } from "../files/file-updates.ts";
import { patchQueryData, scheduleRefetch } from "../query-client.ts";
import { applyToFolders, movesSubtree, treeOf } from "./folder-tree.ts";
import { fileListKeys, isDeep } from "./list-query.ts";
import { applyListingEvent, compareBy, type Listing, matchesQuery, updateEntry } from "./listing.ts";

/** Delays refetches of what events do not contain (item counts and dates of folders, some listings), so that a burst of events causes one request. */
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
    const hasMovedEntries = kind === "list" && isDeep(query) && movedProjectIds.has(projectId);
    const hasOtherCounts = kind === "folders" && event.type !== "status" && event.type !== "unread";
    // Every change in a folder can change the folder's date.
    const hasOtherDates = kind === "list" && query.sort === "changed" && event.type !== "status" && event.type !== "unread" && hasFolders(state.data);
    if (next === null || hasMovedEntries || hasOtherCounts || hasOtherDates) scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
  }
}

const hasFolders = (listing: unknown): boolean => (listing as Listing | undefined)?.entries.some(({ is_folder }) => is_folder) === true;

/** Shows changed metadata of a file in every listing with such columns; a listing that a changed field sorts or filters is refetched. */
export function applyMetadataUpdate(client: ClientData, { file_id, project_id, values }: MetadataUpdate): void {
  const update = (queryKey: QueryKey, data: unknown): unknown => {
    const [kindOfKey, projectId, kind, query] = queryKey as FileListKey;
    if (kindOfKey !== fileListKeys.all[0] || projectId !== project_id || kind !== "list") return data;
    return updateEntry(data as Listing, file_id, (entry) => ({ ...entry, metadata: withChanges(entry.metadata ?? {}, values, query.fields) }));
  };
  client.queryState.loads.recordChange(update);
  for (const { queryKey, state } of client.queryClient.getQueryCache().findAll({ queryKey: fileListKeys.project(project_id) })) {
    const [, , kind, query] = queryKey as FileListKey;
    if (state.data === undefined || kind !== "list") continue;
    patchQueryData(client, queryKey, () => update(queryKey, state.data));
    const decisive = [query.sortField, ...query.metadata.map(({ field_id }) => field_id)];
    if (decisive.some((id) => id !== null && id in values)) scheduleRefetch(client, queryKey, REFETCH_DELAY_MS);
  }
}

/** Returns the values of these fields after the changes; null removes one. */
function withChanges(values: MetadataValues, changes: MetadataChanges, fields: readonly number[]): MetadataValues {
  const changed = Object.entries(changes).filter(([id]) => fields.includes(Number(id)));
  const kept = Object.entries(values).filter(([id]) => !(id in changes));
  return Object.fromEntries([...kept, ...changed].filter((pair): pair is [string, MetadataValue] => pair[1] !== null));
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
