/** Refetches favorites and recent items when what they show has changed. */
import type { ListedItem } from "../../../contract/favorite-records.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";
import { favoriteKeys } from "./favorites.ts";

/** Refetches the cached lists with an item for which `isOutdated` is true; without it, both. */
export function invalidateListedItems(client: ClientData, isOutdated: (item: ListedItem) => boolean = () => true): void {
  for (const key of [favoriteKeys.favorites, favoriteKeys.recent]) {
    const entries = client.queryClient.getQueryData<{ item: ListedItem }[]>(key);
    if (entries?.some(({ item }) => isOutdated(item))) invalidate(client, key);
  }
}
