import { skipToken, useQuery } from "@tanstack/react-query";
import { fileListQueries } from "./options.ts";
import { NO_FILTER, type Wish } from "./wish.ts";

/** Fewer letters are in almost every name. */
const FEWEST = 2;

/** Files and folders of a project by a part of their name, as far as a first page goes; undefined while nobody knows, and where a service cannot tell. */
export function useFoundFiles(folderId: number | null, projectId: number | null, q: string) {
  const wish: Wish = { ...NO_FILTER, q, folderId: folderId ?? 0, sort: "changed", order: "desc" };
  const options = fileListQueries.list(projectId ?? 0, wish);
  const isAsked = projectId !== null && folderId !== null && q.length >= FEWEST;
  return useQuery({ ...options, ...(isAsked ? {} : { queryFn: skipToken }), staleTime: 0, retry: false }).data?.entries;
}
