/** Matrix rows about favorites and recent items, in the format of `table.ts`, and their requests. */
import type { FavoriteType, RecentType } from "../../../contract/favorite-records.ts";
import { insertPlaylist } from "../favorites.ts";
import type { ProjectFixture } from "../fixtures.ts";
import type { Person } from "../people.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

/** The lists have one item of each project, whatever the account can see. */
export const FAVORITE_TABLE = `
listFavorites        projects                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listFavorites        files                          200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listFavorites        playlists                      200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listFavorites        messages                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
addFavorite          the project home               404 404 404 404 | 404 404 | 200 200 200 200
addFavorite          a file of home                 404 404 404 404 | 404 404 | 200 200 200 200
addFavorite          a playlist of home             404 404 404 404 | 404 404 | 200 200 200 200
addFavorite          a message of home              404 404 404 404 | 404 404 | 200 200 200 200
addFavorite          a message of apart             404 404 404 404 | 404 404 | 404 404 200 200
addFavorite          a file of foreign              200 200 200 200 | 404 404 | 404 404 404 404
removeFavorite       of home                        204 204 204 204 | 204 204 | 204 204 204 204
listRecentItems      projects                       200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listRecentItems      files                          200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
listRecentItems      playlists                      200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
recordRecentItem     the project home               404 404 404 404 | 404 404 | 200 200 200 200
recordRecentItem     a file of home                 404 404 404 404 | 404 404 | 200 200 200 200
recordRecentItem     a playlist of home             404 404 404 404 | 404 404 | 200 200 200 200
recordRecentItem     a file of foreign              200 200 200 200 | 404 404 | 404 404 404 404
removeRecentItem     of home                        204 204 204 204 | 204 204 | 204 204 204 204
clearRecentItems     all                            204 204 204 204 | 204 204 | 204 204 204 204
`;

type FixtureName = "home" | "next" | "apart" | "foreign";
const FIXTURE_NAMES: readonly FixtureName[] = ["home", "next", "apart", "foreign"];

async function itemIdOf({ fixtures }: Scenario, type: FavoriteType, name: FixtureName): Promise<number> {
  const fixture: ProjectFixture = fixtures[name];
  if (type !== "playlist") return fixture[type];
  return insertPlaylist(fixtures.testApp, fixture.project, name === "foreign" ? fixtures.foreignOwner.id : fixtures.owner.id);
}

const withItem =
  (type: FavoriteType, name: FixtureName, body?: object): RequestBuilder =>
  async (scenario) => ({ params: { type, item_id: await itemIdOf(scenario, type, name) }, body });

/** Returns an item of each project, of which the service would refuse those that the account does not see, so the rows are inserted past it. */
async function itemsOfAllProjects<T extends FavoriteType>(scenario: Scenario, actor: Person, item_type: T) {
  const ids = await Promise.all(FIXTURE_NAMES.map((name) => itemIdOf(scenario, item_type, name)));
  return ids.map((item_id) => ({ account_id: actor.id, item_type, item_id }));
}

const favoritesOf =
  (type: FavoriteType): RequestBuilder =>
  async (scenario, actor) => {
    const rows = await itemsOfAllProjects(scenario, actor, type);
    await scenario.fixtures.testApp.database.write(async (tx) => {
      await tx.deleteFrom("favorites").where("account_id", "=", actor.id).execute();
      await tx
        .insertInto("favorites")
        .values(rows.map((row) => ({ ...row, created_at: 1 })))
        .execute();
    });
    return { query: { type } };
  };

const recentItemsOf =
  (type: RecentType): RequestBuilder =>
  async (scenario, actor) => {
    const rows = await itemsOfAllProjects(scenario, actor, type);
    await scenario.fixtures.testApp.database.write(async (tx) => {
      await tx.deleteFrom("recent_items").where("account_id", "=", actor.id).execute();
      await tx
        .insertInto("recent_items")
        .values(rows.map((row) => ({ ...row, opened_at: 1 })))
        .execute();
    });
    return { query: { type } };
  };

const opened = { action: "opened" };

/** Keyed by operation and row name. */
export const FAVORITE_REQUESTS: Record<string, RequestBuilder> = {
  "listFavorites projects": favoritesOf("project"),
  "listFavorites files": favoritesOf("file"),
  "listFavorites playlists": favoritesOf("playlist"),
  "listFavorites messages": favoritesOf("message"),
  "addFavorite the project home": withItem("project", "home"),
  "addFavorite a file of home": withItem("file", "home"),
  "addFavorite a playlist of home": withItem("playlist", "home"),
  "addFavorite a message of home": withItem("message", "home"),
  "addFavorite a message of apart": withItem("message", "apart"),
  "addFavorite a file of foreign": withItem("file", "foreign"),
  "removeFavorite of home": withItem("file", "home"),
  "listRecentItems projects": recentItemsOf("project"),
  "listRecentItems files": recentItemsOf("file"),
  "listRecentItems playlists": recentItemsOf("playlist"),
  "recordRecentItem the project home": withItem("project", "home", opened),
  "recordRecentItem a file of home": withItem("file", "home", opened),
  "recordRecentItem a playlist of home": withItem("playlist", "home", opened),
  "recordRecentItem a file of foreign": withItem("file", "foreign", opened),
  "removeRecentItem of home": withItem("file", "home"),
  "clearRecentItems all": () => ({}),
};
