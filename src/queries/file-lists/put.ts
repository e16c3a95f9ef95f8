/** What answers and the live channel tell of files goes into every listing that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import { onFileEvent, type FileEvent } from "../files/news.ts";
import { invalidate } from "../renew.ts";
import { applyFileEvent } from "./change.ts";
import { movesSubtree } from "./folders.ts";
import { fileListKeys } from "./keys.ts";
import { recordFileEvent } from "./loads.ts";
import { isFiltered, type FileListQuery } from "./wish.ts";

/** How many lie in each folder, and what a listing looks like that only the service can tell: a burst asks once. */
const REFETCH_DELAY_MS = 2_000;

/** An entry is new or different: as the service has answered it. */
export const upsertEntry = (client: QueryClient, entry: FileEntry): void => handleFileEvent(client, { type: "updated", entry });

/** An entry is gone, with all below it. */
export const removeEntry = (client: QueryClient, id: number): void => handleFileEvent(client, { type: "deleted", id });

function handleFileEvent(client: QueryClient, event: FileEvent): void {
  recordFileEvent(client, event);
  const all = client.getQueryCache().findAll({ queryKey: fileListKeys.all });
  const movedProjectIds = new Set(
    all.flatMap(({ queryKey: [, project, kind], state: { data } }) =>
      kind === "folders" && data && movesSubtree(data as FileEntry[], event) ? [project as number] : [],
    ),
  );
  // Listings before the folders, by which some of them know what belongs to them.
  const ordered = all.toSorted((a, b) => Number(a.queryKey[2] === "folders") - Number(b.queryKey[2] === "folders"));
  for (const { queryKey, state } of event.type === "deleted" ? ordered : ordered.toReversed()) {
    const [, project, kind, query] = queryKey as [string, number, string, FileListQuery];
    if (state.data !== undefined) {
      const next = applyFileEvent(client, queryKey, state.data as object, event);
      if (next === null) scheduleRefetch(client, queryKey);
      else if (next !== state.data) client.setQueryData(queryKey, next);
    }
    if (kind === "list" && isFiltered(query) && movedProjectIds.has(project)) scheduleRefetch(client, queryKey);
    if (kind === "folders" && event.type !== "status" && event.type !== "unread") scheduleRefetch(client, queryKey);
  }
}

const scheduledKeys = new WeakMap<QueryClient, Set<string>>();
/** Loaded again soon. */
function scheduleRefetch(client: QueryClient, queryKey: readonly unknown[]): void {
  const keys = scheduledKeys.get(client) ?? new Set();
  scheduledKeys.set(client, keys);
  const name = JSON.stringify(queryKey);
  if (keys.has(name)) return;
  keys.add(name);
  setTimeout(() => {
    keys.delete(name);
    invalidate(client, queryKey, true);
  }, REFETCH_DELAY_MS);
}

onFileEvent(handleFileEvent);
