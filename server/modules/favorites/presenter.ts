/** Presents favorites and recent items as wire records. */
import type * as wire from "../../../contract/favorite-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

/** A row with the item to which it refers. */
export interface Listed<T> {
  row: T;
  item: wire.ListedItem;
}

export const presentFavorite = ({ row, item }: Listed<Row<"favorites">>): wire.Favorite => ({
  object: "favorite",
  id: row.id,
  item,
  created_at: iso(row.created_at),
});

export const presentRecentItem = ({ row, item }: Listed<Row<"recent_items">>): wire.RecentItem => ({
  object: "recent_item",
  id: row.id,
  item,
  opened_at: isoOrNull(row.opened_at),
  played_at: isoOrNull(row.played_at),
});
