import { useLocation, useNavigate } from "react-router";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { ItemIcon, itemName } from "../../components/favorites/listed-item.tsx";
import { itemPath } from "../../queries/favorites/listed-items.ts";
import { itemKey } from "../../queries/favorites/favorites.ts";
import { useRecentItems } from "../../queries/favorites/use-favorite-lists.ts";
import { useFavoriteAccess, useFavorites } from "../../queries/favorites/use-favorites.ts";
import type { PaletteEntry } from "./palette-entry.ts";

/** Recent items without a query; a query finds the others too. */
const MAX_RECENT = 6;

/** Returns the favorites and recent items, each once and without what the page shows. */
export function useListedEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { canList } = useFavoriteAccess();
  const favorites = useFavorites();
  const { data: recent = [] } = useRecentItems(canList);
  const favoriteKeys = new Set(favorites.map(({ item }) => itemKey(item)));
  const toEntry = (item: ListedItem, section: "favorites" | "recent"): PaletteEntry => ({
    key: `${item.type}-${item.id}`,
    section,
    name: itemName(item),
    ...(item.type !== "project" && { detail: [item.account_name, item.project_name].filter(Boolean).join(" · ") }),
    icon: <ItemIcon item={item} />,
    run: () => void navigate(itemPath(item)),
  });
  /** With a query, projects are among all projects. */
  const isShown = (item: ListedItem): boolean =>
    item.type === "project" ? query !== "" || pathname.startsWith(`/projects/${item.id}/`) : pathname === itemPath(item);
  const others = recent.filter(({ item }) => !favoriteKeys.has(itemKey(item)) && !isShown(item));
  return [
    ...favorites.filter(({ item }) => !isShown(item)).map(({ item }) => toEntry(item, "favorites")),
    ...others.slice(0, query === "" ? MAX_RECENT : others.length).map(({ item }) => toEntry(item, "recent")),
  ];
}
