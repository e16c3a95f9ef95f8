import { queryOptions, useQuery } from "@tanstack/react-query";
import { listVersions } from "../../api/file-changes.ts";
import { fileKeys } from "./keys.ts";

const versionsQuery = (fileId: number) =>
  queryOptions({ queryKey: [...fileKeys.file(fileId), "versions"] as const, queryFn: ({ signal }) => listVersions(fileId, { signal }) });

/** A file's versions, newest first; a new one is there as soon as the live channel tells of it. */
export const useVersions = (fileId: number) => useQuery(versionsQuery(fileId));
