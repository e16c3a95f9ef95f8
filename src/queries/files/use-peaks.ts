import { useQuery } from "@tanstack/react-query";
import { versionQueries } from "./version-options.ts";

/** The bytes of a level of peaks that is fine enough for `pixels`; undefined or null: draw by `wave`. */
export const usePeaks = (fileId: number, version: number | null, pixels: number) => useQuery(versionQueries.peaks(fileId, version, pixels)).data;

/** Which levels of peaks there are, to be fetched by windows; undefined: draw by what is there. */
export const usePeakLevels = (fileId: number, version: number | null) => useQuery(versionQueries.levels(fileId, version)).data;
