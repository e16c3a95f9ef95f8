/** Queries what the service is and offers, and whether it serves a newer client than the running one. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Feature } from "../../contract/define-operation.ts";
import { ApiError, notOfferedError } from "../api/api-error.ts";
import { fetchPageFile } from "../api/files.ts";
import { useClient } from "../client/client.ts";
import { findEntryScript } from "../lib/page-scripts.ts";
import { useStore } from "../lib/store.ts";

export const serviceQueries = {
  /** What this service is and which features and limits it has; needs no sign-in. Fails if the service does not describe itself. */
  current: () =>
    queryOptions({
      queryKey: ["service"],
      queryFn: async ({ meta }) => {
        const service = await meta!.client.api.discover();
        if (!service) throw notOfferedError();
        return service;
      },
      staleTime: 5 * 60_000,
    }),
};

/** Returns whether a service that is known to describe itself responded with something else, as a proxy in front of it may. */
export const isWithoutDescription = (error: unknown): boolean => error instanceof ApiError && error.kind === "malformed";

export const useService = () => useQuery(serviceQueries.current());

/** Returns whether the service has a feature that this account can use; true for all until the features are known. null: what every service has. */
export function useHasFeature(feature: Feature | null): boolean {
  const { api } = useClient();
  useStore(api.service);
  return feature === null || api.hasFeature(feature);
}

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
