/** Tables of what an account has marked, opened and played. */
import type { Generated } from "kysely";
import type { FavoriteType, RecentType } from "../../../contract/favorite-records.ts";

export interface FavoriteTables {
  favorites: { id: Generated<number>; account_id: number; item_type: FavoriteType; item_id: number; created_at: number };
  /** Using an item again replaces its row, so that the ids are in the order of use. */
  recent_items: { id: Generated<number>; account_id: number; item_type: RecentType; item_id: number; opened_at: number | null; played_at: number | null };
}
