/** Shows and changes the account's favorites. The schemas of their operations load with the shell's later part (`favorite-requests.ts`). */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Scope } from "../../../contract/define-operation.ts";
import type { Favorite, FavoriteType, ListedItem } from "../../../contract/favorite-records.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { useStore } from "../../lib/store.ts";
import { useHasFeature } from "../service.ts";
import { useOptionalSession } from "../session.ts";
import { applyFavoriteChanges, favoriteKeys, itemKey } from "./favorites.ts";

const LISTING_SCOPES: readonly Scope[] = ["account:read", "chat:read", "files:read"];

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
  return useMemo(() => applyFavoriteChanges(data ?? NONE, changes), [data, changes]);
}
const NONE: readonly Favorite[] = [];

export const useIsFavorite = (type: FavoriteType, id: number): boolean => useFavorites().some(({ item }) => item.type === type && item.id === id);

/** Returns the ids of the favorites that are messages, the same set until they change; null where they cannot be changed. */
export function useFavoriteMessageIds(): ReadonlySet<number> | null {
  const { canChange } = useFavoriteAccess();
  const favorites = useFavorites();
  return useMemo(() => (canChange ? new Set(favorites.flatMap(({ item }) => (item.type === "message" ? item.id : []))) : null), [canChange, favorites]);
}

/** Adds an item to the favorites, or removes it: shown at once, reverted with an error when the service refuses it. */
export const changeFavorite = (client: ClientData, item: ListedItem, isFavorite: boolean): Promise<unknown> =>
  client.queryState.pendingFavoriteChanges.perform(
    { recordId: itemKey(item), item, isFavorite },
    async () => (await import("./favorite-requests.ts")).sendFavorite(client, item, isFavorite),
    () => undefined,
  );
