import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badLine, type EndpointCase } from "./case.ts";
import { createCasePlaylist, createDeletedPlaylist, deletedPlaylist, inaccessiblePlaylists, TOO_MANY_ITEMS } from "./playlist-helpers.ts";

const BAD_NAME = badLine(LIMITS.playlist_name_characters);
const BAD_GAP = [-1, 10_001, 1.5, "0", true, null, {}];
const BAD_ITEMS = [null, {}, [5], [{}], ...BAD_ID.map((file_id) => [{ file_id }]), [{ file_id: 1, version: 0 }], [{ file_id: 1, version: "1" }]];

export const listPlaylists: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    await createCasePlaylist(fixtures);
    return { query: { project_id: String(fixtures.home.project), file_id: String(fixtures.home.file), limit: "1" } };
  },
  assertResponse: ({ response }) => expect(response.data).toMatchObject([{ object: "playlist", name: "Album order", item_count: 2 }]),
  invalid: {
    "query.project_id": BAD_ID_IN_PATH,
    "query.file_id": BAD_ID_IN_PATH,
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.cursor": ["", "x", "x".repeat(201)],
  },
  rejectedRequests: [
    ["a project of the same team", ({ next }) => ({ query: { project_id: String(next.project) } }), 404],
    ["a file of another organization", ({ foreign }) => ({ query: { file_id: String(foreign.file) } }), 404],
  ],
  edgeCases: {
    "lists newest first in pages, without deleted ones": async (fixtures) => {
      const { testApp, member, guest, home } = fixtures;
      const ids: number[] = [];
      for (const name of ["a", "b", "c", "d", "e"]) ids.unshift(await createCasePlaylist(fixtures, member, { name, items: [] }));
      await testApp.call(member, playlists.deletePlaylist, { params: { playlist_id: ids[1] ?? 0 } });
      const seen: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const query = { project_id: String(home.project), limit: "2", ...(cursor ? { cursor } : {}) };
        const page: { data: { id: number }[]; next_cursor: string | null } = (await testApp.call(guest, playlists.listPlaylists, { query })).response;
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen.filter((id) => ids.includes(id))).toEqual(ids.filter((_, index) => index !== 1));
    },
  },
};

export const createPlaylist: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { project_id: home.project, name: " Side A ", gap_ms: 2_000, items: [{ file_id: home.file }, { file_id: home.file }] } }),
  assertResponse: ({ data, fixtures: { home, guest, testApp } }) => {
    const now = new Date(testApp.clock.now()).toISOString();
    expect(data).toEqual({
      object: "playlist",
      id: expect.any(Number),
      name: "Side A",
      project_id: home.project,
      team_id: home.team,
      gap_ms: 2_000,
      created_by_account_id: guest.id,
      created_at: now,
      updated_at: now,
      revision: 1,
      item_count: 2,
      // Two tracks of 2.5 seconds, and the gap between them.
      duration: 7,
      hidden_item_count: 0,
    });
  },
  invalid: {
    "body.project_id": BAD_ID,
    "body.name": BAD_NAME,
    "body.gap_ms": BAD_GAP,
    "body.items": [...BAD_ITEMS, TOO_MANY_ITEMS],
  },
  rejectedRequests: [
    ["a project of the same team", ({ next }) => ({ body: { project_id: next.project, name: "x" } }), 404],
    ["a project of another organization", ({ foreign }) => ({ body: { project_id: foreign.project, name: "x" } }), 404],
    ["a file in a project that the caller does not see", ({ home, next }) => createWith(home.project, next.file), 400],
    ["a file of another organization", ({ home, foreign }) => createWith(home.project, foreign.file), 400],
    ["a folder", ({ home }) => createWith(home.project, home.folder), 400],
    ["a version that the file does not have", ({ home }) => createWith(home.project, home.file, 2), 400],
  ],
  edgeCases: {
    "one wrong file creates nothing": async ({ testApp, member, home }) => {
      const body = { project_id: home.project, name: "nothing", items: [{ file_id: home.file }, { file_id: home.folder }] };
      const { status, problem } = await testApp.call(member, playlists.createPlaylist, { body });
      expect([status, problem.errors]).toEqual([400, [{ path: "items.1.file_id", message: "must be an audio file of this team" }]]);
      const { response } = await testApp.call(member, playlists.listPlaylists, { query: { project_id: String(home.project) } });
      expect(response.data.map(({ name }) => name)).not.toContain("nothing");
    },
  },
};
const createWith = (project_id: number, file_id: number, version?: number) => ({ body: { project_id, name: "x", items: [{ file_id, version }] } });

export const getPlaylist: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ object: "playlist", item_count: 2, gap_ms: 0, hidden_item_count: 0 }),
  invalid: { "params.playlist_id": BAD_ID_IN_PATH },
  rejectedRequests: [...inaccessiblePlaylists(), ...deletedPlaylist()],
  edgeCases: {},
};

export const updatePlaylist: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures, fixtures.guest) }, body: { name: " Side B ", gap_ms: 1_500 } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Side B", gap_ms: 1_500, duration: 6.5, revision: 2 }),
  invalid: { "params.playlist_id": BAD_ID_IN_PATH, "body.name": BAD_NAME, "body.gap_ms": BAD_GAP },
  rejectedRequests: [...inaccessiblePlaylists({ name: "x" }), ...deletedPlaylist({ name: "x" })],
  edgeCases: {
    "omitted members stay, and a change of nothing leaves the revision": async (fixtures) => {
      const params = { playlist_id: await createCasePlaylist(fixtures) };
      const update = async (body: object) => (await fixtures.testApp.call(fixtures.member, playlists.updatePlaylist, { params, body })).response.data;
      expect(await update({ gap_ms: 500 })).toMatchObject({ name: "Album order", gap_ms: 500, revision: 2 });
      expect(await update({ name: "Album order", gap_ms: 500 })).toMatchObject({ revision: 2 });
    },
    "a guest renames only their own": async (fixtures) => {
      const { testApp, guest } = fixtures;
      const rename = async (playlist_id: number) =>
        (await testApp.call(guest, playlists.updatePlaylist, { params: { playlist_id }, body: { name: "Mine" } })).status;
      expect([await rename(await createCasePlaylist(fixtures)), await rename(await createCasePlaylist(fixtures, guest))]).toEqual([403, 200]);
    },
  },
};

export const deletePlaylist: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures, fixtures.guest) } }),
  assertResponse: async ({ input, fixtures: { testApp, owner } }) => {
    const params = input.params as { playlist_id: number };
    expect((await testApp.call(owner, playlists.getPlaylist, { params })).status).toBe(404);
  },
  invalid: { "params.playlist_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...inaccessiblePlaylists(),
    ...deletedPlaylist(),
    ["another person's playlist", async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) } }), 403],
  ],
  edgeCases: {
    "a message that showed it says so": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      const playlist_id = await createCasePlaylist(fixtures);
      const { response } = await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, playlist_id } });
      expect(response.data.playlist).toEqual({ id: playlist_id, name: "Album order", deleted: false });
      await testApp.call(member, playlists.deletePlaylist, { params: { playlist_id } });
      const history = (await testApp.call(member, chat.chatHistory, { body: { project_id: home.project, around_id: response.data.id } })).response.data;
      expect(history.find(({ id }) => id === response.data.id)?.playlist).toEqual({ id: playlist_id, name: "", deleted: true });
    },
    "a message that was written before and is sent after it shows a deleted playlist": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      const playlist_id = await createDeletedPlaylist(fixtures);
      const { response } = await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "Listen", playlist_id } });
      expect(response.data).toMatchObject({ body: "Listen", playlist: { id: playlist_id, name: "", deleted: true } });
    },
  },
};

export const restorePlaylist: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { playlist_id: await createDeletedPlaylist(fixtures) } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Album order", item_count: 2, revision: 3 }),
  invalid: { "params.playlist_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessiblePlaylists(),
  edgeCases: {
    "one that is not deleted stays as it is": async (fixtures) => {
      const params = { playlist_id: await createCasePlaylist(fixtures) };
      expect((await fixtures.testApp.call(fixtures.member, playlists.restorePlaylist, { params })).response.data.revision).toBe(1);
    },
  },
};

export const duplicatePlaylist: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) }, body: { name: "Album order, copy" } }),
  assertResponse: ({ data, fixtures: { guest }, input }) => {
    expect(data).toMatchObject({ name: "Album order, copy", item_count: 2, created_by_account_id: guest.id, revision: 1 });
    expect(data.id).not.toBe((input.params as { playlist_id: number }).playlist_id);
  },
  invalid: { "params.playlist_id": BAD_ID_IN_PATH, "body.name": BAD_NAME },
  rejectedRequests: [...inaccessiblePlaylists({ name: "x" }), ...deletedPlaylist({ name: "x" })],
  edgeCases: {
    "copies order, gap and pinned versions, and changes of the copy leave the original": async (fixtures) => {
      const { testApp, member } = fixtures;
      const playlist_id = await createCasePlaylist(fixtures, member, { gap_ms: 3_000 });
      const copy = (await testApp.call(member, playlists.duplicatePlaylist, { params: { playlist_id }, body: { name: "Copy" } })).response.data;
      expect(copy.gap_ms).toBe(3_000);
      const itemsOf = async (id: number) => (await testApp.call(member, playlists.listPlaylistItems, { params: { playlist_id: id } })).response.data;
      expect((await itemsOf(copy.id)).map(({ pinned_version }) => pinned_version)).toEqual([null, 1]);
      const [first] = await itemsOf(copy.id);
      await testApp.call(member, playlists.removePlaylistItems, { params: { playlist_id: copy.id }, body: { item_ids: [first?.id ?? 0] } });
      expect([(await itemsOf(copy.id)).length, (await itemsOf(playlist_id)).length]).toEqual([1, 2]);
    },
    "the same Idempotency-Key makes one copy, and another name with it is a conflict": async (fixtures) => {
      const { testApp, member } = fixtures;
      const params = { playlist_id: await createCasePlaylist(fixtures) };
      const duplicate = (name: string) =>
        testApp.call(member, playlists.duplicatePlaylist, { params, body: { name } }, { headers: { "idempotency-key": "copy-once" } });
      const first = (await duplicate("Copy")).response.data;
      expect((await duplicate("Copy")).response.data.id).toBe(first.id);
      expect((await duplicate("Other")).status).toBe(409);
    },
  },
};
