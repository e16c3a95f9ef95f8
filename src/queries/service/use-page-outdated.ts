import { useQuery } from "@tanstack/react-query";
import { fetchIndexHtml } from "../../api/page.ts";
import { findEntryScript } from "../../lib/chunk-fault.ts";

/** Returns true once it is certain that the service serves another build than the running one. Checks only when `isEnabled`. */
export function usePageOutdated(isEnabled: boolean): boolean {
  const { data } = useQuery({
    queryKey: ["page-outdated"],
    queryFn: async () => {
      const servedEntry = findEntryScript(await fetchIndexHtml());
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
