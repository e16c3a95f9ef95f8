import { useQuery } from "@tanstack/react-query";
import { versionQueries } from "./version-options.ts";

/** Returns the peaks of a level that is fine enough for `pixels`; when undefined or null, draw from `wave`. */
export const usePeaks = (fileId: number, version: number | null, pixels: number) => useQuery(versionQueries.peaks(fileId, version, pixels)).data;

/** Returns the levels of peaks, to be fetched in windows; when undefined, draw from what is available. */
export const usePeakLevels = (fileId: number, version: number | null) => useQuery(versionQueries.levels(fileId, version)).data;
