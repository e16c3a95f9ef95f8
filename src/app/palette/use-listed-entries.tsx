import { History, Star } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { ItemIcon, itemName } from "../../components/favorites/listed-item.tsx";
import { matchScore } from "../../lib/search.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { itemPath } from "../../queries/favorites/listed-items.ts";
import { itemKey } from "../../queries/favorites/favorites.ts";
import { useRecentItems } from "../../queries/favorites/use-favorite-lists.ts";
import { useFavoriteAccess, useFavorites } from "../../queries/favorites/use-favorites.ts";
import type { PaletteEntry } from "./palette-entry.ts";

/** Recent items without a query; a query finds the others too. */
const MAX_RECENT = 6;

/** Returns the favorites and recent items that match what is typed, each once and without what the page shows, and the ways to their pages. */
export function useListedEntries(typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { canList } = useFavoriteAccess();
  const favorites = useFavorites();
  const { data: recent = [] } = useRecentItems(canList);
  const favoriteKeys = new Set(favorites.map(({ item }) => itemKey(item)));
  const toPage = (path: string, name: string, icon: ReactNode): PaletteEntry => ({ key: path, section: "actions", name, icon, run: () => void navigate(path) });
  const toEntry = (item: ListedItem, section: "favorites" | "recent"): PaletteEntry => ({
    key: `${item.type}-${item.id}`,
    section,
    name: itemName(item),
    ...(item.type !== "project" && { detail: [item.account_name, item.project_name].filter(Boolean).join(" · ") }),
    icon: <ItemIcon item={item} />,
    run: () => void navigate(itemPath(item)),
  });
  // With a query, projects are among all projects.
  const isShown = (item: ListedItem): boolean =>
    item.type === "project" ? typed !== "" || pathname.startsWith(`/projects/${item.id}/`) : pathname === itemPath(item);
  const others = recent.filter(({ item }) => !favoriteKeys.has(itemKey(item)) && !isShown(item));
  if (!canList) return [];
  const entries = [
    ...favorites.filter(({ item }) => !isShown(item)).map(({ item }) => toEntry(item, "favorites")),
    ...others.slice(0, typed === "" ? MAX_RECENT : others.length).map(({ item }) => toEntry(item, "recent")),
  ];
  return [
    // What does not match by its name may be a result of the search, which must not be missing because it is here.
    ...entries.filter(({ name, detail = "" }) => matchScore(`${name} ${detail}`, typed) > 0),
    toPage("/favorites", t("openFavorites"), <Star size={16} aria-hidden />),
    toPage("/recent", t("openRecent"), <History size={16} aria-hidden />),
  ];
}
