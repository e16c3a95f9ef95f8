/** The queries of a project's tree: its folders, listings of them, and what occurs in its files; kept current by the live channel. */
import { queryOptions } from "@tanstack/react-query";
import { getFileFacets, listFiles, listFolders, type FilesQuery } from "../../api/file-lists.ts";
import { dateRange } from "./fits.ts";
import { fileListKeys } from "./keys.ts";
import { loadWithEvents } from "./loads.ts";
import { appendPage, toListing, type Listing } from "./listing.ts";
import { isFiltered, type FileListQuery } from "./wish.ts";

/** Enough for any view; what is further down comes with it in sight. */
const INITIAL_PAGE_SIZE = 100;
/** The service gives no more at once. */
export const MAX_PAGE_SIZE = 500;

/** Between two looks while the live channel is away, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;

/** How often what is shown is asked for again; a long listing, which takes many pages, more seldom. */
export const pollInterval = (isLive: boolean, loadedCount = 0): number | false =>
  isLive ? false : POLL_INTERVAL_MS * Math.max(1, Math.ceil(loadedCount / MAX_PAGE_SIZE));

/** What the service is asked for. */
export function toFilesQuery(query: FileListQuery): FilesQuery {
  const { from, to } = dateRange(query);
  return {
    folder_id: String(query.folderId),
    deep: isFiltered(query) ? "true" : undefined,
    q: query.q || undefined,
    kind: query.kind ?? undefined,
    status_id: query.status.join(",") || undefined,
    bpm_min: query.bpmMin ?? undefined,
    bpm_max: query.bpmMax ?? undefined,
    key: query.key ?? undefined,
    tag: query.tag ?? undefined,
    uploader: query.uploader ?? undefined,
    from: from?.toISOString(),
    to: to?.toISOString(),
    sort: query.sort,
    order: query.order,
  };
}

export const fileListQueries = {
  /** All folders of the project; the root is the one without a parent. */
  folders: (projectId: number) =>
    queryOptions({
      queryKey: fileListKeys.folders(projectId),
      queryFn: ({ client, signal }) => loadWithEvents(client, fileListKeys.folders(projectId), () => listFolders(projectId, { signal })),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** As much of it as was loaded before, at least its first page. */
  list: (projectId: number, query: FileListQuery) =>
    queryOptions({
      queryKey: fileListKeys.list(projectId, query),
      queryFn: ({ client, signal }) => {
        const key = fileListKeys.list(projectId, query);
        const loadedCount = client.getQueryData<Listing>(key)?.entries.length ?? 0;
        return loadWithEvents(client, key, async () => {
          const limit = Math.min(MAX_PAGE_SIZE, Math.max(INITIAL_PAGE_SIZE, loadedCount));
          let listing = toListing(await listFiles(projectId, { ...toFilesQuery(query), limit }, { signal }));
          while (listing.nextCursor !== null && listing.entries.length < loadedCount) {
            listing = appendPage(listing, await listFiles(projectId, { ...toFilesQuery(query), cursor: listing.nextCursor, limit }, { signal }));
          }
          return listing;
        });
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
    }),
  facets: (projectId: number) =>
    queryOptions({ queryKey: fileListKeys.facets(projectId), queryFn: ({ signal }) => getFileFacets(projectId, { signal }), staleTime: 10_000 }),
};
