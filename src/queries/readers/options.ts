import { queryOptions } from "@tanstack/react-query";
import { listReaders } from "../../api/message-changes.ts";
import { readerKeys } from "./keys.ts";

export const readerQueries = {
  /** Kept current by live signals. */
  project: (projectId: number) =>
    queryOptions({ queryKey: readerKeys.project(projectId), queryFn: ({ signal }) => listReaders(projectId, { signal }), staleTime: 60_000 }),
};
