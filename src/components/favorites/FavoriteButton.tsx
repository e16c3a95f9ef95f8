import { Star } from "lucide-react";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { t } from "../../lib/texts/favorites.ts";
import { useFavoriteAccess, useIsFavorite } from "../../queries/favorites/use-favorites.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToggleFavorite } from "./use-toggle-favorite.ts";

/** Adds an item to the favorites or removes it; absent where the service or the access token does not allow that. */
export function FavoriteButton({ item, className }: { item: ListedItem; className?: string }) {
  const { canChange } = useFavoriteAccess();
  const isFavorite = useIsFavorite(item.type, item.id);
  const toggle = useToggleFavorite();
  if (!canChange) return null;
  return (
    <IconButton label={t(isFavorite ? "remove" : "add")} className={className} onClick={() => toggle(item, !isFavorite)}>
      <FavoriteStar isFavorite={isFavorite} />
    </IconButton>
  );
}

export const FavoriteStar = ({ isFavorite, size = 18 }: { isFavorite: boolean; size?: number }) => (
  <Star size={size} aria-hidden className={isFavorite ? "fill-current text-accent-text" : undefined} />
);
