import { skipToken, useQuery } from "@tanstack/react-query";
import { fileListQueries } from "./options.ts";
import { NO_FILTER, type FileListQuery } from "./wish.ts";

/** Shorter queries match almost every name. */
const MIN_QUERY_LENGTH = 2;

/** Returns the first page of a project's files and folders whose name contains `q`; undefined while unknown, and when the service cannot search. */
export function useFileSearch(folderId: number | null, projectId: number | null, q: string) {
  const query: FileListQuery = { ...NO_FILTER, q, folderId: folderId ?? 0, sort: "changed", order: "desc" };
  const options = fileListQueries.list(projectId ?? 0, query);
  const isEnabled = projectId !== null && folderId !== null && q.length >= MIN_QUERY_LENGTH;
  return useQuery({ ...options, ...(isEnabled ? {} : { queryFn: skipToken }), staleTime: 0, retry: false }).data?.entries;
}
