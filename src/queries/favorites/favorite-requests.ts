/** Loads and changes favorites and recent items. */
import { queryOptions } from "@tanstack/react-query";
import type { Favorite, ListedItem, RecentAction, RecentItem, RecentType } from "../../../contract/favorite-records.ts";
import * as operations from "../../../contract/operations/favorites.ts";
import type { ClientData } from "../../client/client.ts";
import { fetchAll } from "../operations.ts";
import { patchDataAndLoads } from "../query-client.ts";
import { favoriteKeys, itemKey } from "./favorites.ts";

export const favoriteQueries = {
  favorites: () =>
    queryOptions({
      queryKey: favoriteKeys.favorites,
      queryFn: fetchAll((api, query, options) => api.call(operations.listFavorites, { query }, options)),
    }),
  recent: () =>
    queryOptions({
      queryKey: favoriteKeys.recent,
      queryFn: fetchAll((api, query, options) => api.call(operations.listRecentItems, { query }, options)),
    }),
};

interface Listed {
  item: Pick<ListedItem, "type" | "id">;
}
const without = <T extends Listed>(list: readonly T[], item: Listed["item"]): T[] => list.filter((entry) => itemKey(entry.item) !== itemKey(item));
/** Returns the list with the entry at its top, in place of the earlier one of its item. */
export const withNewest = <T extends Listed>(list: readonly T[], entry: T): T[] => [entry, ...without(list, entry.item)];

/** Adds or removes the favorite at the service, then in the cached list. */
export async function sendFavorite(client: ClientData, item: ListedItem, isFavorite: boolean): Promise<void> {
  const params = { type: item.type, item_id: item.id };
  const patch = (change: (favorites: Favorite[]) => Favorite[]) =>
    patchDataAndLoads<Favorite[]>(client, favoriteKeys.favorites, (favorites) => favorites && change(favorites));
  if (isFavorite) {
    const favorite = await client.api.data(operations.addFavorite, { params });
    patch((favorites) => withNewest(favorites, favorite));
  } else {
    await client.api.call(operations.removeFavorite, { params });
    patch((favorites) => without(favorites, item));
  }
}

const patchRecent = (client: ClientData, change: (items: RecentItem[]) => RecentItem[]) =>
  patchDataAndLoads<RecentItem[]>(client, favoriteKeys.recent, (items) => items && change(items));

/** Records that the account opened or played an item. */
export async function recordRecentItem(client: ClientData, type: RecentType, id: number, action: RecentAction): Promise<void> {
  const recorded = await client.api.data(operations.recordRecentItem, { params: { type, item_id: id }, body: { action } });
  patchRecent(client, (items) => withNewest(items, recorded));
}

export async function removeRecentItem(client: ClientData, { item }: RecentItem): Promise<void> {
  await client.api.call(operations.removeRecentItem, { params: { type: item.type as RecentType, item_id: item.id } });
  patchRecent(client, (items) => without(items, item));
}

export async function clearRecentItems(client: ClientData): Promise<void> {
  await client.api.call(operations.clearRecentItems, {});
  patchRecent(client, () => []);
}
