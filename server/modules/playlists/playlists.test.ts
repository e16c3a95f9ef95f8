/** Tests what playlists do beyond single requests: live events, versions that change their kind, retention, and who sees what. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { eraseDeletedPlaylists } from "./retention.ts";

describe.each(ENGINES)("playlists on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let playlist_id: number;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(async () => {
    const { testApp, member, home } = fixtures;
    const body = { project_id: home.project, name: "Album order", items: [{ file_id: home.file }, { file_id: home.file }] };
    playlist_id = (await testApp.call(member, playlists.createPlaylist, { body })).response.data.id;
  });

  const items = async () => (await fixtures.testApp.call(fixtures.member, playlists.listPlaylistItems, { params: { playlist_id } })).response.data;
  const loadEvents = async (after = 0) => {
    const topic = `project:${fixtures.home.project}`;
    const rows = await fixtures.testApp.database.read
      .selectFrom("events")
      .select(["seq", "type", "data"])
      .where("topic", "=", topic)
      .where("type", "like", "playlist.%")
      .where("seq", ">", after)
      .orderBy("seq")
      .execute();
    return rows.map(({ seq, type, data }) => ({ seq, type, data: JSON.parse(data) as Record<string, unknown> }));
  };

  it("every change is one event with the next revision, without what depends on the reader", async () => {
    const { testApp, member } = fixtures;
    const params = { playlist_id };
    const after = (await loadEvents()).at(-1)!.seq;
    const [first, second] = await items();
    await testApp.call(member, playlists.updatePlaylist, { params, body: { name: "Side A" } });
    await testApp.call(member, playlists.movePlaylistItems, { params, body: { item_ids: [second!.id], before_item_id: first!.id } });
    await testApp.call(member, playlists.updatePlaylistItem, { params: { ...params, item_id: first!.id }, body: { version: 1 } });
    await testApp.call(member, playlists.removePlaylistItems, { params, body: { item_ids: [first!.id] } });
    await testApp.call(member, playlists.deletePlaylist, { params });
    await testApp.call(member, playlists.restorePlaylist, { params });
    const events = await loadEvents(after);
    expect(events.map(({ type, data }) => [type, data["revision"]])).toEqual([
      ["playlist.updated", 2],
      ["playlist.updated", 3],
      ["playlist.updated", 4],
      ["playlist.updated", 5],
      ["playlist.deleted", undefined],
      ["playlist.created", 7],
    ]);
    for (const { data } of events) expect(Object.keys(data).filter((name) => /_count$|^duration$/.test(name))).toEqual([]);
  });

  it("a file whose newest version is no audio stays, and the playlist can still be duplicated", async () => {
    const { testApp, member, home } = fixtures;
    const file_id = await upload(testApp, member, { parent: home.folder, name: "take.wav" });
    await markProcessed(testApp, file_id);
    const added = [{ file_id }, { file_id, version: 1 }];
    await testApp.call(member, playlists.addPlaylistItems, { params: { playlist_id }, body: { items: added } });
    await upload(testApp, member, { versionOf: file_id, bytes: "%PDF-1.7\n" });
    const { status, response } = await testApp.call(member, playlists.duplicatePlaylist, { params: { playlist_id }, body: { name: "Copy" } });
    expect([status, response.data.item_count]).toEqual([200, 4]);
    // The old version is still audio, and can be added; the newest one cannot.
    const add = async (version: number | null) =>
      (await testApp.call(member, playlists.addPlaylistItems, { params: { playlist_id }, body: { items: [{ file_id, version }] } })).status;
    expect([await add(1), await add(2), await add(null)]).toEqual([200, 400, 400]);
  });

  it("a message shows the playlist's present name, and may be a playlist alone", async () => {
    const { testApp, member, home, guest } = fixtures;
    const { response } = await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, playlist_id } });
    expect(response.data).toMatchObject({ body: "", playlist: { id: playlist_id, name: "Album order", deleted: false } });
    const reply = { project_id: home.project, body: "Nice order", parent_message_id: response.data.id };
    expect((await testApp.call(guest, chat.sendMessage, { body: reply })).response.data.parent).toMatchObject({ attachment_name: "Album order" });
    await testApp.call(member, playlists.updatePlaylist, { params: { playlist_id }, body: { name: "Side A" } });
    const history = (await testApp.call(guest, chat.chatHistory, { body: { project_id: home.project } })).response.data;
    expect(history.find(({ id }) => id === response.data.id)?.playlist?.name).toBe("Side A");
  });

  it("a message that is sent after its playlist was deleted shows it as deleted", async () => {
    const { testApp, member, home } = fixtures;
    await testApp.call(member, playlists.deletePlaylist, { params: { playlist_id } });
    const { status, response } = await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "In this order", playlist_id } });
    expect([status, response.data.playlist]).toEqual([200, { id: playlist_id, name: "", deleted: true }]);
    await testApp.call(member, playlists.restorePlaylist, { params: { playlist_id } });
  });

  it("the same client_id with another playlist is a conflict", async () => {
    const { testApp, member, home } = fixtures;
    const send = async (playlist: number | null) =>
      (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "x", client_id: `once-${engine}`, playlist_id: playlist } }))
        .status;
    expect([await send(playlist_id), await send(playlist_id), await send(null)]).toEqual([200, 200, 409]);
  });

  it("a token that attaches a playlist needs files:read", async () => {
    const { testApp, member, home } = fixtures;
    const token = await createApiToken(testApp, member, ["chat:write"]);
    const { status, problem } = await testApp.call(token, chat.sendMessage, { body: { project_id: home.project, playlist_id } });
    expect([status, problem.detail]).toEqual([403, "This token lacks the scope files:read, which attaching a playlist needs."]);
  });

  it("a deleted playlist can be restored for 30 days, and is erased then", async () => {
    const { testApp } = fixtures;
    // Sessions would end meanwhile.
    const member = await createApiToken(testApp, fixtures.member);
    const erase = () => eraseDeletedPlaylists(testApp);
    await testApp.call(member, playlists.deletePlaylist, { params: { playlist_id } });
    testApp.clock.advance(30 * DAY - 120_000);
    expect(await erase()).toBe(0);
    expect((await testApp.call(member, playlists.restorePlaylist, { params: { playlist_id } })).status).toBe(200);
    await testApp.call(member, playlists.deletePlaylist, { params: { playlist_id } });
    testApp.clock.advance(30 * DAY - 30_000);
    expect((await testApp.call(member, playlists.restorePlaylist, { params: { playlist_id } })).status).toBe(404);
    testApp.clock.advance(30_000);
    expect([await erase(), await erase()]).toEqual([1, 0]);
    const row = await testApp.database.read.selectFrom("playlists").select("name").where("id", "=", playlist_id).executeTakeFirstOrThrow();
    const left = await testApp.database.read.selectFrom("playlist_items").select("id").where("playlist_id", "=", playlist_id).execute();
    expect([row.name, left]).toEqual(["", []]);
  });
});
