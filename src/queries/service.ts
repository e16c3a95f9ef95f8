/** Queries what the service is and offers, and whether it serves a newer client than the running one. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getService } from "../../contract/operations/session.ts";
import { fetchPageFile } from "../api/files.ts";
import { findEntryScript } from "../lib/page-scripts.ts";
import { fetchData } from "./operations.ts";

export const serviceQueries = {
  /** What this service is and which features and limits it has; needs no sign-in. */
  current: () => queryOptions({ queryKey: ["service"], queryFn: fetchData(getService, {}), staleTime: 5 * 60_000 }),
};

export const useService = () => useQuery(serviceQueries.current());

/** Returns true once it is certain that the service serves another build than the running one. Checks only when `isEnabled`. */
export function usePageOutdated(isEnabled: boolean): boolean {
  const { data } = useQuery({
    queryKey: ["page-outdated"],
    queryFn: async () => {
      // The page that is served now, not one from a cache.
      const page = await fetchPageFile("/", { cache: "no-store", headers: { accept: "text/html" } });
      const servedEntry = findEntryScript(await page.text());
      const runningEntry = findEntryScript(document.documentElement.outerHTML);
      return servedEntry !== null && runningEntry !== null && servedEntry !== runningEntry;
    },
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return data ?? false;
}
