import * as z from "zod/mini";
import { operation, page, pageQuery, single, type Scope } from "../define-operation.ts";
import { favorite, FAVORITE_TYPES, RECENT_ACTIONS, RECENT_TYPES, recentItem } from "../favorite-records.ts";
import { LIMITS } from "../limits.ts";
import type { Rule } from "../policy.ts";
import { idInPath, withDescription } from "../text.ts";

/** The lists show files and messages. */
const SHOWN_SCOPES = ["chat:read", "files:read"] as const satisfies readonly Scope[];
const shared = { group: "Favorites and recents", source: "extension", rule: "self" } as const;
/** Items are shown to whoever may read them. */
const furtherRules = ["project.read", "file.read", "playlist.read", "chat.read"] as const satisfies readonly Rule[];

const favoriteParams = z.object({ type: z.enum(FAVORITE_TYPES), item_id: idInPath });
const recentParams = z.object({ type: z.enum(RECENT_TYPES), item_id: idInPath });

export const listFavorites = operation({
  ...shared,
  method: "GET",
  path: "/api/v2/favorites",
  summary: "Your favorites, newest first; what was deleted or you no longer see is left out",
  scope: "account:read",
  furtherScopes: SHOWN_SCOPES,
  furtherRules,
  query: z.object({ type: withDescription(z.optional(z.enum(FAVORITE_TYPES)), "only favorites of this type"), ...pageQuery.shape }),
  response: page(favorite),
});
export const addFavorite = operation({
  ...shared,
  method: "PUT",
  path: "/api/v2/favorites/{type}/{item_id}",
  summary: "Add a project, file, folder, playlist or message to your favorites; idempotent",
  scope: "account:write",
  furtherScopes: ["account:read", ...SHOWN_SCOPES],
  furtherRules,
  params: favoriteParams,
  response: single("favorite", favorite),
  errors: { 404: "The item does not exist, or you do not see it.", 409: `You have ${LIMITS.favorites} favorites.` },
});
export const removeFavorite = operation({
  ...shared,
  method: "DELETE",
  path: "/api/v2/favorites/{type}/{item_id}",
  summary: "Remove an item from your favorites; idempotent",
  scope: "account:write",
  params: favoriteParams,
  response: null,
});

export const listRecentItems = operation({
  ...shared,
  method: "GET",
  path: "/api/v2/recent-items",
  summary: "Projects, files and playlists that you opened or played, newest first; what was deleted or you no longer see is left out",
  scope: "account:read",
  furtherScopes: SHOWN_SCOPES,
  furtherRules,
  query: z.object({ type: withDescription(z.optional(z.enum(RECENT_TYPES)), "only items of this type"), ...pageQuery.shape }),
  response: page(recentItem),
});
export const recordRecentItem = operation({
  ...shared,
  method: "PUT",
  path: "/api/v2/recent-items/{type}/{item_id}",
  summary: `Record that you opened or played an item; the newest ${LIMITS.recent_items} stay, and reading by the API records nothing`,
  scope: "account:write",
  furtherScopes: ["account:read", ...SHOWN_SCOPES],
  furtherRules,
  params: recentParams,
  body: z.object({ action: z.enum(RECENT_ACTIONS) }),
  response: single("recent_item", recentItem),
  errors: { 404: "The item does not exist, or you do not see it." },
});
export const removeRecentItem = operation({
  ...shared,
  method: "DELETE",
  path: "/api/v2/recent-items/{type}/{item_id}",
  summary: "Remove an item from those that you opened or played; idempotent",
  scope: "account:write",
  params: recentParams,
  response: null,
});
export const clearRecentItems = operation({
  ...shared,
  method: "DELETE",
  path: "/api/v2/recent-items",
  summary: "Remove all items that you opened or played",
  scope: "account:write",
  response: null,
});
