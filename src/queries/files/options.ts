/** The queries of one file: what the service knows of it, and the samples to draw it by. */
import { queryOptions, skipToken } from "@tanstack/react-query";
import { getFileInfo, getPeaks, getPeaksLevel } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { levelFor } from "./peaks-level.ts";
import { isUnderWay } from "./state.ts";

/** While processing goes on and nothing live tells of it. */
const LOOK_AGAIN_MS = 4_000;

export const fileQueries = {
  info: (fileId: number) =>
    queryOptions({
      queryKey: fileKeys.info(fileId),
      queryFn: ({ signal }) => getFileInfo(fileId, null, { signal }),
      refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.common.transcoding_status) ? LOOK_AGAIN_MS : false),
    }),
  /**
   * The bytes of the coarsest level of peaks that has a value for every pixel of a drawing `pixels` wide; null where the service has none.
   * A version never changes, so neither do its peaks. `version` null: the service tells no versions, and there is nothing to ask for.
   */
  peaks: (fileId: number, version: number | null, pixels: number) =>
    queryOptions({
      queryKey: [...fileKeys.peaks(fileId), version, pixels] as const,
      queryFn:
        version === null
          ? skipToken
          : async ({ signal }) => {
              const level = levelFor((await getPeaks(fileId, version, { signal })).levels, pixels);
              return level ? getPeaksLevel(level.url, { signal }) : null;
            },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
    }),
};
