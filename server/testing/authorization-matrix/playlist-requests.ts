/** Requests for the matrix rows about playlists. */
import type { Person } from "../people.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

type FixtureName = "home" | "next" | "apart" | "foreign";
interface PlaylistOptions {
  createdBy: number;
  in?: FixtureName;
  /** Whose file is the only item. */
  fileOf?: FixtureName;
  isDeleted?: boolean;
}
const NAME = "matrix";

/** Inserts a playlist, by default in `home`, and returns the ids of it and its item. */
async function insertPlaylist(
  { fixtures }: Scenario,
  { createdBy, in: place = "home", fileOf = place, isDeleted = false }: PlaylistOptions,
): Promise<{ playlist_id: number; item_id: number }> {
  const now = fixtures.testApp.clock.now();
  const { project } = fixtures[place];
  return fixtures.testApp.database.write(async (tx) => {
    const { id } = await tx
      .insertInto("playlists")
      .values({ project_id: project, name: NAME, created_by: createdBy, created_at: now, updated_at: now, deleted_at: isDeleted ? now : null })
      .returning("id")
      .executeTakeFirstOrThrow();
    const item = await tx
      .insertInto("playlist_items")
      .values({ playlist_id: id, position: 0, file_id: fixtures[fileOf].file, version_id: null, added_by: createdBy, added_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { playlist_id: id, item_id: item.id };
  });
}
const ofOwner = (scenario: Scenario) => insertPlaylist(scenario, { createdBy: scenario.fixtures.owner.id });
const ofActor = (scenario: Scenario, actor: Person) => insertPlaylist(scenario, { createdBy: actor.id });
const withFileOfNext = (scenario: Scenario, actor: Person) => insertPlaylist(scenario, { createdBy: actor.id, fileOf: "next" });
const foreign = (scenario: Scenario) => insertPlaylist(scenario, { createdBy: scenario.fixtures.foreignOwner.id, in: "foreign" });
const deleted = (createdBy: (scenario: Scenario, actor: Person) => number) => (scenario: Scenario, actor: Person) =>
  insertPlaylist(scenario, { createdBy: createdBy(scenario, actor), isDeleted: true });

type Insert = (scenario: Scenario, actor: Person) => Promise<{ playlist_id: number; item_id: number }>;
const onPlaylist = (insert: Insert, body?: object) => inPath("playlist_id", async (scenario, actor) => (await insert(scenario, actor)).playlist_id, body);
const onItems =
  (insert: Insert, body: object = {}): RequestBuilder =>
  async (scenario, actor) => {
    const { playlist_id, item_id } = await insert(scenario, actor);
    return { params: { playlist_id }, body: { item_ids: [item_id], ...body } };
  };
const onItem =
  (insert: Insert): RequestBuilder =>
  async (scenario, actor) => ({ params: await insert(scenario, actor), body: { version: 1 } });
const adding =
  (insert: Insert, fileOf: FixtureName): RequestBuilder =>
  async (scenario, actor) => ({
    params: { playlist_id: (await insert(scenario, actor)).playlist_id },
    body: { items: [{ file_id: scenario.fixtures[fileOf].file }] },
  });
const listing =
  (query: (scenario: Scenario) => object): RequestBuilder =>
  async (scenario) => {
    for (const place of ["home", "next", "apart"] as const) await insertPlaylist(scenario, { createdBy: scenario.fixtures.owner.id, in: place });
    await foreign(scenario);
    return { query: { ...query(scenario), limit: 200 } };
  };
const creating =
  (place: FixtureName, fileOf?: FixtureName): RequestBuilder =>
  ({ fixtures }) => ({ body: { project_id: fixtures[place].project, name: NAME, items: fileOf ? [{ file_id: fixtures[fileOf].file }] : [] } });
const sending =
  (place: FixtureName): RequestBuilder =>
  async (scenario) => {
    const { playlist_id } = await insertPlaylist(scenario, { createdBy: scenario.fixtures.owner.id, in: place });
    return { body: { project_id: scenario.fixtures.home.project, playlist_id } };
  };

/** Keyed by operation and row name. */
export const PLAYLIST_REQUESTS: Record<string, RequestBuilder> = {
  "listPlaylists all": listing(() => ({})),
  "listPlaylists of the project home": listing(({ fixtures }) => ({ project_id: fixtures.home.project })),
  "listPlaylists with the file of home": listing(({ fixtures }) => ({ file_id: fixtures.home.file })),
  "createPlaylist in home": creating("home"),
  "createPlaylist in apart": creating("apart"),
  "createPlaylist with a file of next": creating("home", "next"),
  "createPlaylist with a file of foreign": creating("home", "foreign"),
  "getPlaylist of home": onPlaylist(ofOwner),
  "getPlaylist of foreign": onPlaylist(foreign),
  "getPlaylist deleted": onPlaylist(deleted(({ fixtures }) => fixtures.owner.id)),
  "updatePlaylist another's in home": onPlaylist(ofOwner, { name: "matrix, changed" }),
  "updatePlaylist one's own in home": onPlaylist(ofActor, { gap_ms: 100 }),
  "updatePlaylist of foreign": onPlaylist(foreign, { gap_ms: 100 }),
  "deletePlaylist another's in home": onPlaylist(ofOwner),
  "deletePlaylist one's own in home": onPlaylist(ofActor),
  "restorePlaylist another's in home": onPlaylist(deleted(({ fixtures }) => fixtures.owner.id)),
  "restorePlaylist one's own in home": onPlaylist(deleted((_, actor) => actor.id)),
  "duplicatePlaylist another's in home": onPlaylist(ofOwner, { name: NAME }),
  "duplicatePlaylist of foreign": onPlaylist(foreign, { name: NAME }),
  "listPlaylistItems of home, with a file of next": async (scenario, actor) => {
    const request = await adding(ofOwner, "home")(scenario, actor);
    const { playlist_id } = request.params as { playlist_id: number };
    const row = { playlist_id, position: 1, file_id: scenario.fixtures.next.file, version_id: null, added_by: scenario.fixtures.owner.id, added_at: 1 };
    await scenario.fixtures.testApp.database.write((tx) => tx.insertInto("playlist_items").values(row).execute());
    return { params: { playlist_id } };
  },
  "listPlaylistItems of foreign": onPlaylist(foreign),
  "addPlaylistItems another's in home": adding(ofOwner, "home"),
  "addPlaylistItems one's own in home": adding(ofActor, "home"),
  "addPlaylistItems one's own, a file of next": adding(ofActor, "next"),
  "movePlaylistItems another's in home": onItems(ofOwner, { before_item_id: null }),
  "movePlaylistItems one's own in home": onItems(ofActor, { before_item_id: null }),
  "movePlaylistItems one's own, a file of next": onItems(withFileOfNext, { before_item_id: null }),
  "removePlaylistItems another's in home": onItems(ofOwner),
  "removePlaylistItems one's own in home": onItems(ofActor),
  "updatePlaylistItem another's in home": onItem(ofOwner),
  "updatePlaylistItem one's own in home": onItem(ofActor),
  "updatePlaylistItem one's own, a file of next": onItem(withFileOfNext),
  "sendMessage with a playlist of home": sending("home"),
  "sendMessage with a playlist of next": sending("next"),
};
