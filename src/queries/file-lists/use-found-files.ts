import { skipToken, useQuery } from "@tanstack/react-query";
import { fileListQueries } from "./options.ts";
import { NO_FILTER, type FileListQuery } from "./wish.ts";

/** Fewer letters are in almost every name. */
const MIN_QUERY_LENGTH = 2;

/** Files and folders of a project by a part of their name, as far as a first page goes; undefined while nobody knows, and where a service cannot tell. */
export function useFileSearch(folderId: number | null, projectId: number | null, q: string) {
  const query: FileListQuery = { ...NO_FILTER, q, folderId: folderId ?? 0, sort: "changed", order: "desc" };
  const options = fileListQueries.list(projectId ?? 0, query);
  const isEnabled = projectId !== null && folderId !== null && q.length >= MIN_QUERY_LENGTH;
  return useQuery({ ...options, ...(isEnabled ? {} : { queryFn: skipToken }), staleTime: 0, retry: false }).data?.entries;
}
