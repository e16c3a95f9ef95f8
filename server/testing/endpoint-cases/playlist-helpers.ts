/** Creates playlists for endpoint cases, and lists the requests for those that their callers cannot access. */
import { LIMITS } from "../../../contract/limits.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import type { Caller } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import type { EndpointCase } from "./case.ts";

export const TOO_MANY_ITEMS = Array.from({ length: LIMITS.playlist_items + 1 }, () => ({ file_id: 1 }));

/** Creates a playlist in `home` that has the file of `home` twice. */
export async function createCasePlaylist({ testApp, member, home }: Fixtures, caller: Caller = member, overrides: object = {}): Promise<number> {
  const body = { project_id: home.project, name: "Album order", items: [{ file_id: home.file }, { file_id: home.file, version: 1 }], ...overrides };
  return (await testApp.call(caller, playlists.createPlaylist, { body })).response.data.id;
}
const createForeignPlaylist = (fixtures: Fixtures) =>
  createCasePlaylist(fixtures, fixtures.foreignOwner, { project_id: fixtures.foreign.project, items: [{ file_id: fixtures.foreign.file }] });
const createNextPlaylist = (fixtures: Fixtures) =>
  createCasePlaylist(fixtures, fixtures.neighbor, { project_id: fixtures.next.project, items: [{ file_id: fixtures.next.file }] });
export async function createDeletedPlaylist(fixtures: Fixtures): Promise<number> {
  const playlist_id = await createCasePlaylist(fixtures);
  await fixtures.testApp.call(fixtures.member, playlists.deletePlaylist, { params: { playlist_id } });
  return playlist_id;
}

export const inaccessiblePlaylists = (body?: object, extraParams: object = {}): EndpointCase["rejectedRequests"] => [
  ["a playlist of another project", async (fixtures) => ({ params: { ...extraParams, playlist_id: await createNextPlaylist(fixtures) }, body }), 404],
  ["a playlist of another organization", async (fixtures) => ({ params: { ...extraParams, playlist_id: await createForeignPlaylist(fixtures) }, body }), 404],
  ["a playlist that does not exist", () => ({ params: { ...extraParams, playlist_id: 999_999 }, body }), 404],
];
export const deletedPlaylist = (body?: object, extraParams: object = {}): EndpointCase["rejectedRequests"] => [
  ["a deleted playlist", async (fixtures) => ({ params: { ...extraParams, playlist_id: await createDeletedPlaylist(fixtures) }, body }), 404],
];
