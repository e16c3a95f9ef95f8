/** Shows and changes the account's favorites. The schemas of their operations load with the shell's later part (`favorite-requests.ts`). */
import { useQuery } from "@tanstack/react-query";
import type { Scope } from "../../../contract/define-operation.ts";
import type { Favorite, FavoriteType, ListedItem } from "../../../contract/favorite-records.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { useStore } from "../../lib/store.ts";
import { useHasFeature } from "../service.ts";
import { useOptionalSession } from "../session.ts";
import { favoriteKeys } from "./favorite-keys.ts";

export interface FavoriteChange {
  recordId: string;
  item: ListedItem;
  isFavorite: boolean;
}

const LISTING_SCOPES: readonly Scope[] = ["account:read", "chat:read", "files:read"];

export const itemKey = ({ type, id }: Pick<ListedItem, "type" | "id">): string => `${type}:${id}`;

/** Returns whether the service has favorites and recent items, and the session or access token may see and change them. */
export function useFavoriteAccess(): { canList: boolean; canChange: boolean } {
  const scopes = useOptionalSession()?.scopes ?? [];
  const canList = useHasFeature("favorites") && LISTING_SCOPES.every((scope) => scopes.includes(scope));
  return { canList, canChange: canList && scopes.includes("account:write") };
}

/** Returns the favorites, newest first, with changes that the service has not confirmed. It sends no request: the navigation loads them. */
export function useFavorites(): readonly Favorite[] {
  const changes = useStore(useClient().queryState.pendingFavoriteChanges);
  const { data } = useQuery<Favorite[]>({ queryKey: favoriteKeys.favorites, enabled: false });
  return applyFavoriteChanges(data ?? NONE, changes);
}
const NONE: readonly Favorite[] = [];

export const useIsFavorite = (type: FavoriteType, id: number): boolean => useFavorites().some(({ item }) => item.type === type && item.id === id);

/** Returns the favorites as they will be once the service has confirmed the changes. */
export function applyFavoriteChanges(favorites: readonly Favorite[], changes: readonly FavoriteChange[]): readonly Favorite[] {
  return changes.reduce((list, { item, recordId, isFavorite }) => {
    const isListed = list.some((favorite) => itemKey(favorite.item) === recordId);
    if (isListed === isFavorite) return list;
    if (!isFavorite) return list.filter((favorite) => itemKey(favorite.item) !== recordId);
    return [{ object: "favorite" as const, id: 0, item, created_at: "" }, ...list];
  }, favorites);
}

/** Adds an item to the favorites, or removes it: shown at once, reverted with an error when the service refuses it. */
export const changeFavorite = (client: ClientData, item: ListedItem, isFavorite: boolean): Promise<unknown> =>
  client.queryState.pendingFavoriteChanges.perform(
    { recordId: itemKey(item), item, isFavorite },
    async () => (await import("./favorite-requests.ts")).sendFavorite(client, item, isFavorite),
    () => undefined,
  );
