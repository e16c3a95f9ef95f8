/** Queries of a project's folders, listings and facets, kept current by the live channel. */
import { keepPreviousData, queryOptions, skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { ENTRY_KINDS, type FileEntry } from "../../../contract/file-records.ts";
import { getFileFacets, listFiles, listFolders } from "../../../contract/operations/files-view.ts";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { fetchAllPages, fetchData } from "../operations.ts";
import { treeOf } from "./folder-tree.ts";
import { fileListKeys, type FileListQuery, isDeep, NO_FILTER } from "./list-query.ts";
import { appendPage, dateRange, type Listing, toListing } from "./listing.ts";

/** Enough for any view; further pages load on scroll. */
const INITIAL_PAGE_SIZE = 100;
/** The service's upper bound for a page. */
export const MAX_PAGE_SIZE = 500;

/** Shorter queries match almost every name. */
const MIN_QUERY_LENGTH = 2;

/** All kinds but folders. */
const FILE_KINDS = ENTRY_KINDS.filter((kind) => kind !== "folder").join(",");

const NO_ENTRIES: readonly FileEntry[] = [];

/** Polling interval while the live channel is down. */
const POLL_INTERVAL_MS = 15_000;

/** Returns the polling interval; a long listing, which takes many pages, is polled less often. */
export const pollInterval = (isLive: boolean, loadedCount = 0): number | false =>
  isLive ? false : POLL_INTERVAL_MS * Math.max(1, Math.ceil(loadedCount / MAX_PAGE_SIZE));

export function toFilesQuery(query: FileListQuery) {
  const { from, to } = dateRange(query);
  return {
    folder_id: String(query.folderId),
    deep: isDeep(query) ? ("true" as const) : undefined,
    q: query.q || undefined,
    kind: query.kind ?? (query.isFlat ? FILE_KINDS : undefined),
    status_id: query.status.join(",") || undefined,
    bpm_min: query.bpmMin ?? undefined,
    bpm_max: query.bpmMax ?? undefined,
    key: query.key ?? undefined,
    tag: query.tag ?? undefined,
    uploader: query.uploader ?? undefined,
    from: from?.toISOString(),
    to: to?.toISOString(),
    fields: query.fields.join(",") || undefined,
    metadata: query.metadata.length === 0 ? undefined : JSON.stringify(query.metadata),
    sort_field_id: query.sortField ?? undefined,
    sort: query.sort,
    order: query.order,
  };
}

/** Fetches every page of a project's folders, whose number the service limits. A folder that is renamed meanwhile can be on two pages. */
export async function fetchFolders(api: Api, projectId: number, signal?: AbortSignal): Promise<FileEntry[]> {
  const folders = await fetchAllPages((cursor) =>
    api.call(listFolders, { params: { project_id: projectId }, query: { cursor, limit: MAX_PAGE_SIZE } }, signal ? { signal } : {}),
  );
  return [...new Map(folders.map((folder) => [folder.id, folder])).values()];
}

export const fileListQueries = {
  /** All folders of the project; the root has no parent. */
  folders: (projectId: number) =>
    queryOptions({
      queryKey: fileListKeys.folders(projectId),
      queryFn: ({ signal, meta }) => {
        const { api, queryState } = meta!.client;
        return queryState.loads.loadWithChanges(fileListKeys.folders(projectId), () => fetchFolders(api, projectId, signal));
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
  facets: (projectId: number, folderId: number) =>
    queryOptions({
      queryKey: fileListKeys.facets(projectId, folderId),
      queryFn: fetchData(getFileFacets, { params: { project_id: projectId }, query: { folder_id: String(folderId) } }),
      staleTime: 10_000,
    }),
};

/** Returns the first page of a project's files and folders whose name contains `q`; undefined while unknown, and when the service cannot search. */
export function useFileSearch(folderId: number | null, projectId: number | null, q: string) {
  const query: FileListQuery = { ...NO_FILTER, q, folderId: folderId ?? 0, isFlat: false, fields: [], sort: "changed", sortField: null, order: "desc" };
  const options = fileListQueries.list(projectId ?? 0, query);
  const isEnabled = projectId !== null && folderId !== null && q.length >= MIN_QUERY_LENGTH;
  return useQuery({ ...options, ...(isEnabled ? {} : { queryFn: skipToken }), staleTime: 0, retry: false }).data?.entries;
}

/** Returns the values that occur in the files of a folder and everything below it, for filter menus. */
export const useFacets = (projectId: number, folderId: number) => useQuery(fileListQueries.facets(projectId, folderId));

/**
 * Returns a listing and a way to load more of it. Within the same folder the previous entries stay until the next ones arrive. While `isWaiting`, the query
 * is not complete yet, and nothing is loaded.
 */
export function useFileList(projectId: number, listQuery: FileListQuery, isWaiting = false) {
  const client = useClient();
  const isLive = useConnection().state === "live";
  const shownFolder = useRef("");
  const folder = `${listQuery.folderId} ${listQuery.isFlat}`;
  const query = useQuery({
    ...fileListQueries.list(projectId, listQuery),
    enabled: !isWaiting,
    refetchInterval: ({ state }) => pollInterval(isLive, state.data?.entries.length),
    placeholderData: shownFolder.current === folder ? keepPreviousData : undefined,
  });
  shownFolder.current = folder;

  const nextPage = useMutation({
    mutationFn: async ({ listQuery: pageQuery, limit }: { listQuery: FileListQuery; limit: number }) => {
      const key = fileListKeys.list(projectId, pageQuery);
      const listing = client.queryClient.getQueryData<Listing>(key);
      if (!listing || listing.nextCursor === null) return;
      const { nextCursor } = listing;
      const extended = await client.queryState.loads.loadWithChanges(key, async () => {
        const pageOptions = { ...toFilesQuery(pageQuery), cursor: nextCursor, limit };
        const page = await client.api.call(listFiles, { params: { project_id: projectId }, query: pageOptions });
        const current = client.queryClient.getQueryData<Listing>(key);
        // A reload replaced the listing meanwhile, so appending the page would leave a gap.
        return current && current.nextCursor === nextCursor ? appendPage(current, page) : (current ?? listing);
      });
      client.queryClient.setQueryData(key, extended);
    },
    retry: 1,
  });
  const { mutateAsync } = nextPage;
  const isLoadingMore = useRef(false);
  isLoadingMore.current = nextPage.isPending;

  /** Loads another page of up to `limit` entries, unless one is in flight or none is left. */
  const loadMore = useCallback(
    async (limit: number) => {
      if (isLoadingMore.current || client.queryClient.getQueryData<Listing>(fileListKeys.list(projectId, listQuery))?.nextCursor === null) return;
      isLoadingMore.current = true;
      await mutateAsync({ listQuery, limit: Math.min(limit, MAX_PAGE_SIZE) }).catch(() => undefined);
    },
    [client, projectId, listQuery, mutateAsync],
  );
  return {
    entries: query.data?.entries ?? NO_ENTRIES,
    isPending: query.isPending,
    /** The entries belong to the previous query. */
    isPrevious: query.isPlaceholderData,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    hasMore: query.data !== undefined && query.data.nextCursor !== null,
    moreFailed: nextPage.isError,
    loadMore,
  };
}

/** Returns a project's folders as a tree; undefined until loaded. */
export function useFolders(projectId: number) {
  const refetchInterval = pollInterval(useConnection().state === "live");
  const { data, error, refetch } = useQuery({ ...fileListQueries.folders(projectId), refetchInterval });
  return { tree: data && treeOf(data), root: data?.find(({ parent_id }) => parent_id === null), error: data ? null : error, retry: () => void refetch() };
}
