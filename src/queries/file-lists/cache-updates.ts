/** Applies files from responses and live events to every listing that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { FileEntry } from "../../../contract/file-records.ts";
import { onFileEvent, type FileEvent } from "../files/cache-updates.ts";
import { invalidate, patchQueryData, perClient } from "../query-client.ts";
import { movesSubtree } from "./folder-tree.ts";
import { applyFileEvent, recordFileEvent } from "./apply-file-events.ts";
import { fileListKeys, type FileListQuery, isFiltered } from "./list-query.ts";

/** Delays refetches of what events do not contain (item counts, some listings), so that a burst of events causes one request. */
const REFETCH_DELAY_MS = 2_000;

/** Upserts a new or changed entry from a response. */
export const upsertEntry = (client: QueryClient, entry: FileEntry): void => handleFileEvent(client, { type: "updated", entry });

/** Removes an entry with everything below it. */
export const removeEntry = (client: QueryClient, id: number): void => handleFileEvent(client, { type: "deleted", id });

function handleFileEvent(client: QueryClient, event: FileEvent): void {
  recordFileEvent(client, event);
  const all = client.getQueryCache().findAll({ queryKey: fileListKeys.all });
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
      const next = applyFileEvent(client, queryKey, state.data as object, event);
      if (next === null) scheduleRefetch(client, queryKey);
      else patchQueryData(client, queryKey, () => next);
    }
    if (kind === "list" && isFiltered(query) && movedProjectIds.has(project)) scheduleRefetch(client, queryKey);
    if (kind === "folders" && event.type !== "status" && event.type !== "unread") scheduleRefetch(client, queryKey);
  }
}

const getScheduledKeys = perClient(() => new Set<string>());
/** Refetches a query after a delay, once per burst. */
function scheduleRefetch(client: QueryClient, queryKey: readonly unknown[]): void {
  const keys = getScheduledKeys(client);
  const name = JSON.stringify(queryKey);
  if (keys.has(name)) return;
  keys.add(name);
  setTimeout(() => {
    keys.delete(name);
    invalidate(client, queryKey, true);
  }, REFETCH_DELAY_MS);
}

onFileEvent(handleFileEvent);
