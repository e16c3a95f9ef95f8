/** Routes of favorites and recent items. */
import * as operations from "../../../contract/operations/favorites.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { Favorites } from "./favorites.ts";
import { presentFavorite, presentRecentItem } from "./presenter.ts";
import type { RecentItems } from "./recent-items.ts";

export interface FavoriteServices {
  favorites: Favorites;
  recentItems: RecentItems;
}

export function registerFavoriteRoutes(route: Route, { favorites, recentItems }: FavoriteServices): void {
  route(operations.listFavorites, async ({ actor, query }) => {
    const { views, next } = await favorites.list(actor, query.type ?? null, parsePage(query));
    return list(views.map(presentFavorite), { next_cursor: encodeCursor(next) });
  });
  route(operations.addFavorite, async ({ actor, params }) =>
    single("favorite", presentFavorite(await favorites.add(actor, { type: params.type, id: params.item_id }))),
  );
  route(operations.removeFavorite, ({ actor, params }) => favorites.remove(actor, { type: params.type, id: params.item_id }).then(() => undefined));

  route(operations.listRecentItems, async ({ actor, query }) => {
    const { views, next } = await recentItems.list(actor, query.type ?? null, parsePage(query));
    return list(views.map(presentRecentItem), { next_cursor: encodeCursor(next) });
  });
  route(operations.recordRecentItem, async ({ actor, params, body }) =>
    single("recent_item", presentRecentItem(await recentItems.record(actor, { type: params.type, id: params.item_id }, body.action))),
  );
  route(operations.removeRecentItem, ({ actor, params }) => recentItems.remove(actor, { type: params.type, id: params.item_id }).then(() => undefined));
  route(operations.clearRecentItems, ({ actor }) => recentItems.clear(actor).then(() => undefined));
}
