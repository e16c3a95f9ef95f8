import { queryOptions, useQuery } from "@tanstack/react-query";
import { listVersions } from "../../api/file-changes.ts";
import { fileKeys } from "./keys.ts";

const versionsQuery = (fileId: number) =>
  queryOptions({ queryKey: [...fileKeys.file(fileId), "versions"] as const, queryFn: ({ signal }) => listVersions(fileId, { signal }) });

/** Returns a file's versions, newest first; a live event adds a new one. */
export const useVersions = (fileId: number) => useQuery(versionsQuery(fileId));
