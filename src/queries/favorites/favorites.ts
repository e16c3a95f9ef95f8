/** Query keys of favorites and recent items, and changes of favorites that the service has not confirmed. */
import type { Favorite, ListedItem } from "../../../contract/favorite-records.ts";

export const favoriteKeys = {
  favorites: ["favorites"] as const,
  recent: ["recent-items"] as const,
};

export const itemKey = ({ type, id }: Pick<ListedItem, "type" | "id">): string => `${type}:${id}`;

export interface FavoriteChange {
  recordId: string;
  item: ListedItem;
  isFavorite: boolean;
}

/** Returns the favorites as they will be once the service has confirmed the changes. */
export function applyFavoriteChanges(favorites: readonly Favorite[], changes: readonly FavoriteChange[]): readonly Favorite[] {
  return changes.reduce((list, { item, recordId, isFavorite }) => {
    const isListed = list.some((favorite) => itemKey(favorite.item) === recordId);
    if (isListed === isFavorite) return list;
    if (!isFavorite) return list.filter((favorite) => itemKey(favorite.item) !== recordId);
    return [{ object: "favorite" as const, id: 0, item, created_at: "" }, ...list];
  }, favorites);
}
