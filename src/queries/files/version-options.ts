/** Queries of one version of a file: its info and the peaks to draw it from. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import { getFileInfo, getPeaks, getPeaksLevel } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { processingPollInterval } from "./options.ts";
import { levelFor } from "./peaks-level.ts";

export const versionQueries = {
  /** A null `version` disables the query. */
  info: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.versions(fileId), version] as const,
      queryFn: version === null ? skipToken : ({ signal }) => getFileInfo(fileId, version, { signal }),
      refetchInterval: processingPollInterval,
    }),
  /** The levels of peaks of a version, which never change. `version` is null when the service reports no versions, which disables the query. */
  levels: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version] as const,
      queryFn: version === null ? skipToken : ({ signal }) => getPeaks(fileId, version, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      // Reconnecting retries a failed query; loaded data is never stale.
      refetchOnReconnect: true,
    }),
  /** The peaks of the coarsest level with a value for every pixel of a drawing `pixels` wide; null when the service has none. */
  peaks: (fileId: number, version: number | null, pixels: number) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version, pixels] as const,
      queryFn:
        version === null
          ? skipToken
          : async ({ client, signal }) => {
              const level = levelFor((await client.ensureQueryData(versionQueries.levels(fileId, version))).levels, pixels);
              return level ? getPeaksLevel(level.url, { signal }) : null;
            },
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnReconnect: true,
      structuralSharing: false,
    }),
};
