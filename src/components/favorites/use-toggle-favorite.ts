import type { ListedItem } from "../../../contract/favorite-records.ts";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/favorites.ts";
import { describeError } from "../../queries/describe-error.ts";
import { changeFavorite } from "../../queries/favorites/use-favorites.ts";
import { announce } from "../../ui/announce.ts";
import { useToasts } from "../../ui/toast.ts";

/** Returns the function that adds an item to the favorites or removes it, and shows why if that fails. */
export function useToggleFavorite(): (item: ListedItem, isFavorite: boolean) => void {
  const client = useClient();
  const toasts = useToasts();
  return (item, isFavorite) => {
    announce(t(isFavorite ? "added" : "removed"));
    changeFavorite(client, item, isFavorite).catch((error: unknown) => toasts.showError(`${t("notChanged")} ${describeError(error).title}`));
  };
}
