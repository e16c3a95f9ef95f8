import type { ListedItem, RecentItem } from "../../../contract/favorite-records.ts";
import { useClient } from "../../client/client.ts";
import { t as tFavorites } from "../../lib/texts/favorites.ts";
import { t } from "../../lib/texts/favorites-list.ts";
import { describeError } from "../../queries/describe-error.ts";
import { removeRecentItem } from "../../queries/favorites/favorite-requests.ts";
import { useToasts } from "../../ui/toast.ts";
import { useToggleFavorite } from "./use-toggle-favorite.ts";

/** Returns the function that removes a favorite from a list, with undo, because its row disappears. */
export function useRemoveFavorite(): (item: ListedItem) => void {
  const toggle = useToggleFavorite();
  const toasts = useToasts();
  return (item) => {
    toggle(item, false);
    toasts.offerUndo(tFavorites("removed"), t("undo"), () => toggle(item, true));
  };
}

/** Returns the function that removes a recent item, and shows why if that fails. */
export function useRemoveRecentItem(): (entry: RecentItem) => void {
  const client = useClient();
  const toasts = useToasts();
  return (entry) => void removeRecentItem(client, entry).catch((error: unknown) => toasts.showError(`${t("notRemoved")} ${describeError(error).title}`));
}
