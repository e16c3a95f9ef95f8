/** The lists of favorites and recent items, with their schemas. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RecentAction, RecentType } from "../../../contract/favorite-records.ts";
import { useClient } from "../../client/client.ts";
import { clearRecentItems, favoriteQueries, recordRecentItem } from "./favorite-requests.ts";

/** Loads the favorites, which `useFavorites` returns. */
export const useFavoritesQuery = () => useQuery(favoriteQueries.favorites());

export const useRecentItems = (isEnabled = true) => useQuery({ ...favoriteQueries.recent(), enabled: isEnabled });

export function useClearRecentItems(onSuccess: () => void) {
  const client = useClient();
  return useMutation({ mutationFn: () => clearRecentItems(client), onSuccess });
}

/** Records an item whenever another one takes its place; 0: none. */
export function useRecording(type: RecentType, id: number, action: RecentAction, isEnabled: boolean): void {
  const client = useClient();
  useEffect(() => {
    // What was not recorded is only missing from a list, so that a failure is no news.
    if (isEnabled && id > 0) recordRecentItem(client, type, id, action).catch(() => undefined);
  }, [client, type, id, action, isEnabled]);
}
