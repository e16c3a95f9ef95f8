/** What the endpoint cases of favorites and recent items share. */
import * as favorites from "../../../contract/operations/favorites.ts";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { insertPlaylist } from "../favorites.ts";
import type { FavoriteType } from "../../../contract/favorite-records.ts";
import { type Fixtures, type ProjectFixture } from "../fixtures.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, type EndpointCase } from "./case.ts";
import { createFile } from "./helpers.ts";

export const BAD_TYPE = ["folder", "", "File", "constructor", "%00"];
export const BAD_ITEM = { "params.type": BAD_TYPE, "params.item_id": BAD_ID_IN_PATH };
export const BAD_PAGE = { "query.type": BAD_TYPE, "query.cursor": ["x", "YWZ0ZXI6eA"], "query.limit": BAD_LIMIT_IN_QUERY };

export const member = ({ member: person }: Fixtures) => person;
export const paramsOf = (type: FavoriteType, item_id: number) => ({ params: { type, item_id } as never });

/** Items that a member of `home` does not see. */
export function hiddenItems(body: object | undefined, types: readonly FavoriteType[]): EndpointCase["rejectedRequests"] {
  const idOf = (fixture: ProjectFixture, { testApp, owner }: Fixtures, type: FavoriteType) =>
    type === "playlist" ? insertPlaylist(testApp, fixture.project, owner.id) : fixture[type];
  return [
    ...types.flatMap((type): EndpointCase["rejectedRequests"][number][] => [
      [`a ${type} of another project`, async (fixtures) => ({ ...paramsOf(type, await idOf(fixtures.next, fixtures, type)), body }), 404],
      [`a ${type} of another organization`, async (fixtures) => ({ ...paramsOf(type, await idOf(fixtures.foreign, fixtures, type)), body }), 404],
      [`a ${type} that does not exist`, () => ({ ...paramsOf(type, 999_999), body }), 404],
    ]),
    ["a deleted file", async (fixtures) => ({ ...paramsOf("file", await createDeletedFile(fixtures)), body }), 404],
  ];
}

async function createDeletedFile(fixtures: Fixtures): Promise<number> {
  const id = await createFile(fixtures, "gone.wav");
  await fixtures.testApp.call(fixtures.member, deleteFiles, { params: { project_id: fixtures.home.project }, body: { file_ids: [id] } });
  return id;
}

export const favoriteNames = async ({ testApp, member: caller }: Fixtures, query: object = {}) =>
  (await testApp.call(caller, favorites.listFavorites, { query })).response.data.map(({ item }) => `${item.type} ${item.name}`);
export const recentNames = async ({ testApp, member: caller }: Fixtures) =>
  (await testApp.call(caller, favorites.listRecentItems, { query: {} })).response.data.map(({ item }) => `${item.type} ${item.name}`);
export const addItem = ({ testApp, member: caller }: Fixtures, type: FavoriteType, id: number) =>
  testApp.call(caller, favorites.addFavorite, paramsOf(type, id));
export const recordItem = (
  { testApp, member: caller }: Fixtures,
  type: "project" | "file" | "playlist",
  item_id: number,
  action: "opened" | "played" = "opened",
) => testApp.call(caller, favorites.recordRecentItem, { params: { type, item_id: String(item_id) }, body: { action } });

/** Removes the member's favorites and recent items, past the service. */
export async function removeItems({ testApp, member: { id } }: Fixtures): Promise<void> {
  await testApp.database.write(async (tx) => {
    await tx.deleteFrom("favorites").where("account_id", "=", id).execute();
    await tx.deleteFrom("recent_items").where("account_id", "=", id).execute();
  });
}
