/** An account's favorites, and what it last opened and played. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { createFavorites } from "./favorites.ts";
import { createRecentItems } from "./recent-items.ts";
import { registerFavoriteRoutes, type FavoriteServices } from "./routes.ts";

export function createFavoritesModule(deps: ModuleDeps): ServiceModule<FavoriteServices> {
  const services = { favorites: createFavorites(deps), recentItems: createRecentItems(deps) };
  return {
    services,
    features: ["favorites"],
    register({ route }) {
      registerFavoriteRoutes(route, services);
      return {};
    },
  };
}
