import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import type { FileEntry } from "../../../contract/file-records.ts";
import { useClient } from "../../client/client.ts";
import { listFiles } from "../../../contract/operations/files-view.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { fileListQueries, MAX_PAGE_SIZE, pollInterval, toFilesQuery } from "./file-list-queries.ts";
import { buildTree } from "./folder-tree.ts";
import { fileListKeys, type FileListQuery } from "./list-query.ts";
import { appendPage, type Listing } from "./listing.ts";

const NO_ENTRIES: readonly FileEntry[] = [];

/** Returns a listing and a way to load more of it. Within the same folder the previous entries stay until the next ones arrive. */
export function useFileList(projectId: number, listQuery: FileListQuery) {
  const client = useClient();
  const isLive = useConnection().state === "live";
  const shownFolderId = useRef<number | null>(null);
  const query = useQuery({
    ...fileListQueries.list(projectId, listQuery),
    refetchInterval: ({ state }) => pollInterval(isLive, state.data?.entries.length),
    placeholderData: shownFolderId.current === listQuery.folderId ? keepPreviousData : undefined,
  });
  shownFolderId.current = listQuery.folderId;

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
  const { mutateAsync, isPending } = nextPage;
  const isLoadingMore = useRef(isPending);
  isLoadingMore.current = isPending;

  /** Loads another page of up to `limit` entries, unless one is in flight or none is left. */
  const loadMore = useCallback(
    async (limit: number) => {
      if (isLoadingMore.current || client.queryClient.getQueryData<Listing>(fileListKeys.list(projectId, listQuery))?.nextCursor === null) return;
      isLoadingMore.current = true;
      await mutateAsync({ listQuery, limit: Math.min(limit, MAX_PAGE_SIZE) }).catch(() => undefined);
    },
    [client, projectId, listQuery, mutateAsync],
  );
  const entries = query.data?.entries ?? NO_ENTRIES;
  return {
    entries,
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
  const isLive = useConnection().state === "live";
  const { data, error, refetch } = useQuery({ ...fileListQueries.folders(projectId), refetchInterval: pollInterval(isLive) });
  const tree = useMemo(() => data && buildTree(data), [data]);
  return { tree, root: data?.find(({ parent_id }) => parent_id === null), error: data ? null : error, retry: () => void refetch() };
}
