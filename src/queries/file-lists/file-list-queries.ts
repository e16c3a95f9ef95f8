/** Queries of a project's folders, listings and facets, kept current by the live channel. */
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { getFileFacets, listFiles, listFolders } from "../../../contract/operations/files-view.ts";
import { fetchData } from "../operations.ts";
import { fileListKeys, type FileListQuery, isFiltered, NO_FILTER } from "./list-query.ts";
import { appendPage, dateRange, type Listing, toListing } from "./listing.ts";

/** Enough for any view; further pages load on scroll. */
const INITIAL_PAGE_SIZE = 100;
/** The service's upper bound for a page. */
export const MAX_PAGE_SIZE = 500;

/** Shorter queries match almost every name. */
const MIN_QUERY_LENGTH = 2;

/** Polling interval while the live channel is down. */
const POLL_INTERVAL_MS = 15_000;

/** Returns the polling interval; a long listing, which takes many pages, is polled less often. */
export const pollInterval = (isLive: boolean, loadedCount = 0): number | false =>
  isLive ? false : POLL_INTERVAL_MS * Math.max(1, Math.ceil(loadedCount / MAX_PAGE_SIZE));

export function toFilesQuery(query: FileListQuery) {
  const { from, to } = dateRange(query);
  return {
    folder_id: String(query.folderId),
    deep: isFiltered(query) ? ("true" as const) : undefined,
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
  /** All folders of the project; the root has no parent. */
  folders: (project_id: number) =>
    queryOptions({
      queryKey: fileListKeys.folders(project_id),
      queryFn: ({ signal, meta }) => {
        const { api, queryState } = meta!.client;
        return queryState.loads.loadWithChanges(fileListKeys.folders(project_id), () => api.data(listFolders, { params: { project_id } }, { signal }));
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  /** Loads as many entries as were loaded before, at least the first page. */
  list: (projectId: number, query: FileListQuery) =>
    queryOptions({
      queryKey: fileListKeys.list(projectId, query),
      queryFn: ({ signal, meta }) => {
        const { client } = meta!;
        const key = fileListKeys.list(projectId, query);
        const loadedCount = client.queryClient.getQueryData<Listing>(key)?.entries.length ?? 0;
        return client.queryState.loads.loadWithChanges(key, async () => {
          const limit = Math.min(MAX_PAGE_SIZE, Math.max(INITIAL_PAGE_SIZE, loadedCount));
          const fetchPage = (cursor?: string) =>
            client.api.call(listFiles, { params: { project_id: projectId }, query: { ...toFilesQuery(query), cursor, limit } }, { signal });
          let listing = toListing(await fetchPage());
          while (listing.nextCursor !== null && listing.entries.length < loadedCount) listing = appendPage(listing, await fetchPage(listing.nextCursor));
          return listing;
        });
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
    }),
  facets: (project_id: number) =>
    queryOptions({ queryKey: fileListKeys.facets(project_id), queryFn: fetchData(getFileFacets, { params: { project_id } }), staleTime: 10_000 }),
};

/** Returns the first page of a project's files and folders whose name contains `q`; undefined while unknown, and when the service cannot search. */
export function useFileSearch(folderId: number | null, projectId: number | null, q: string) {
  const query: FileListQuery = { ...NO_FILTER, q, folderId: folderId ?? 0, sort: "changed", order: "desc" };
  const options = fileListQueries.list(projectId ?? 0, query);
  const isEnabled = projectId !== null && folderId !== null && q.length >= MIN_QUERY_LENGTH;
  return useQuery({ ...options, ...(isEnabled ? {} : { queryFn: skipToken }), staleTime: 0, retry: false }).data?.entries;
}

/** Returns the values that occur in a project's files, for filter menus. */
export const useFacets = (projectId: number) => useQuery(fileListQueries.facets(projectId));
