/** The queries of one version of a file: what is known of it, and the samples to draw it by. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import { getFileInfo, getPeaks, getPeaksLevel } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { processingPollInterval } from "./options.ts";
import { levelFor } from "./peaks-level.ts";

export const versionQueries = {
  /** `version` null: nothing is to be asked for. */
  info: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.versions(fileId), version] as const,
      queryFn: version === null ? skipToken : ({ signal }) => getFileInfo(fileId, version, { signal }),
      refetchInterval: processingPollInterval,
    }),
  /** Which levels of peaks there are of a version. Neither it nor they ever change. `version` null: the service tells no versions, and there is nothing to ask for. */
  levels: (fileId: number, version: number | null) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version] as const,
      queryFn: version === null ? skipToken : ({ signal }) => getPeaks(fileId, version, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      // Of what could not be had; what is there is never stale.
      refetchOnReconnect: true,
    }),
  /** The bytes of the coarsest level of peaks that has a value for every pixel of a drawing `pixels` wide; null where the service has none. */
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
