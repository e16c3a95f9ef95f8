import { useQuery } from "@tanstack/react-query";
import { fileQueries } from "./options.ts";

/** The bytes of a level of peaks that is fine enough for `pixels`; undefined or null: draw by `wave`. */
export const usePeaks = (fileId: number, version: number | null, pixels: number) => useQuery(fileQueries.peaks(fileId, version, pixels)).data;
