/** Queries of deleted files that can still be restored. The live channel invalidates them with every deletion and restoring. */
import { queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getDeletedFile, listDeletedFiles } from "../../../contract/operations/files-view.ts";
import { useClient } from "../../client/client.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { CURSOR_PAGES, fetchData } from "../operations.ts";
import { DELETED_FILES_KEY } from "./list-query.ts";
import { pollInterval } from "./file-list-queries.ts";

const PAGE_SIZE = 100;
/** Returns what was deleted in a project, last deleted first. */
export function useDeletedFiles(projectId: number) {
  const { api } = useClient();
  const isLive = useConnection().state === "live";
  return useInfiniteQuery({
    queryKey: [...DELETED_FILES_KEY, projectId] as const,
    queryFn: ({ pageParam, signal }) =>
      api.call(listDeletedFiles, { params: { project_id: projectId }, query: { cursor: pageParam, limit: PAGE_SIZE } }, { signal }),
    ...CURSOR_PAGES,
    refetchInterval: () => pollInterval(isLive),
  });
}

/** Returns a deleted file that the user may restore; an error for every other one. */
export const useDeletedFile = (fileId: number) =>
  useQuery(
    queryOptions({
      queryKey: [...DELETED_FILES_KEY, "file", fileId] as const,
      queryFn: fetchData(getDeletedFile, { params: { file_id: fileId } }),
      retry: false,
    }),
  );
