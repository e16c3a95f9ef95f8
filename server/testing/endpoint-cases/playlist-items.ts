import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import { upload } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, withoutNull, type EndpointCase } from "./case.ts";
import { createProcessedFile } from "./helpers.ts";
import { createCasePlaylist, deletedPlaylist, inaccessiblePlaylists, TOO_MANY_ITEMS } from "./playlist-helpers.ts";

const itemsOf = async ({ testApp, member }: Fixtures, playlist_id: number) =>
  (await testApp.call(member, playlists.listPlaylistItems, { params: { playlist_id } })).response.data;
const itemIdsOf = async (fixtures: Fixtures, playlist_id: number): Promise<number[]> => (await itemsOf(fixtures, playlist_id)).map(({ id }) => id);
const BAD_IDS = [null, {}, [], ["1"], [0], [null], Array.from({ length: LIMITS.playlist_items + 1 }, (_, index) => index + 1)];

/** Creates a playlist in `home` with as many items as given, all of the same file. */
async function createWithItems(fixtures: Fixtures, count: number): Promise<{ playlist_id: number; ids: number[] }> {
  const items = Array.from({ length: count }, () => ({ file_id: fixtures.home.file }));
  const playlist_id = await createCasePlaylist(fixtures, fixtures.member, { items });
  return { playlist_id, ids: await itemIdsOf(fixtures, playlist_id) };
}

export const listPlaylistItems: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) } }),
  assertResponse: ({ response, fixtures: { home, member } }) =>
    expect(response.data).toMatchObject([
      {
        object: "playlist_item",
        project_id: home.project,
        pinned_version: null,
        newest_version: 1,
        added_by_account_id: member.id,
        file: { id: home.file, name: "mix.wav", version: 1, kind: "audio", audio: { duration: 2.5 } },
      },
      { pinned_version: 1, file: { id: home.file } },
    ]),
  invalid: { "params.playlist_id": BAD_ID_IN_PATH },
  rejectedRequests: [...inaccessiblePlaylists(), ...deletedPlaylist()],
  edgeCases: {
    "plays the newest version unless it is pinned, and leaves deleted files out until they are restored": async (fixtures) => {
      const { testApp, member } = fixtures;
      const file_id = await createProcessedFile(fixtures);
      const playlist_id = await createCasePlaylist(fixtures, member, { items: [{ file_id }, { file_id, version: 1 }] });
      await upload(testApp, member, { versionOf: file_id });
      const versions = async () => (await itemsOf(fixtures, playlist_id)).map(({ file, newest_version }) => [file.version, newest_version]);
      expect(await versions()).toEqual([
        [2, 2],
        [1, 2],
      ]);
      await testApp.call(member, files.deleteFile, { body: { file_id } });
      expect(await versions()).toEqual([]);
      const { item_count } = (await testApp.call(member, playlists.getPlaylist, { params: { playlist_id } })).response.data;
      expect(item_count).toBe(0);
    },
    "shows files of another project only to those who see it, and counts them as hidden for the others": async (fixtures) => {
      const { testApp, owner, member, home, next } = fixtures;
      const playlist_id = await createCasePlaylist(fixtures, owner, { items: [{ file_id: next.file }, { file_id: home.file }] });
      const seenBy = async (caller: typeof owner) => {
        const list = (await testApp.call(caller, playlists.listPlaylistItems, { params: { playlist_id } })).response.data;
        const { item_count, hidden_item_count } = (await testApp.call(caller, playlists.getPlaylist, { params: { playlist_id } })).response.data;
        return [list.map(({ file }) => file.id), item_count, hidden_item_count];
      };
      expect(await seenBy(owner)).toEqual([[next.file, home.file], 2, 0]);
      expect(await seenBy(member)).toEqual([[home.file], 1, 1]);
    },
  },
};

export const addPlaylistItems: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    const { playlist_id, ids } = await createWithItems(fixtures, 2);
    return { params: { playlist_id }, body: { items: [{ file_id: fixtures.home.file, version: 1 }], before_item_id: ids[1] } };
  },
  assertResponse: async ({ response, input, fixtures }) => {
    expect(response.data).toMatchObject([{ object: "playlist_item", pinned_version: 1, file: { id: fixtures.home.file } }]);
    const { playlist_id } = input.params as { playlist_id: number };
    expect((await itemIdsOf(fixtures, playlist_id)).indexOf(response.data[0].id)).toBe(1);
  },
  invalid: {
    "params.playlist_id": BAD_ID_IN_PATH,
    "body.items": [null, {}, [], [5], [{}], ...BAD_ID.map((file_id) => [{ file_id }]), [{ file_id: 1, version: 0 }], TOO_MANY_ITEMS],
    "body.before_item_id": [...withoutNull(BAD_ID), 999_999],
  },
  rejectedRequests: [
    ...inaccessiblePlaylists({ items: [{ file_id: 1 }] }),
    ...deletedPlaylist({ items: [{ file_id: 1 }] }),
    [
      "a file in a project that the caller does not see",
      async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) }, body: { items: [{ file_id: fixtures.next.file }] } }),
      400,
    ],
    [
      "a file of another team",
      async (fixtures) => ({ params: { playlist_id: await createCasePlaylist(fixtures) }, body: { items: [{ file_id: fixtures.apart.file }] } }),
      400,
    ],
  ],
  edgeCases: {
    "owners see files of another team, and still cannot add them": async (fixtures) => {
      const params = { playlist_id: await createCasePlaylist(fixtures) };
      const body = { items: [{ file_id: fixtures.apart.file }] };
      expect((await fixtures.testApp.call(fixtures.owner, playlists.addPlaylistItems, { params, body })).status).toBe(400);
    },
    "the same Idempotency-Key adds once": async (fixtures) => {
      const params = { playlist_id: await createCasePlaylist(fixtures) };
      const add = () =>
        fixtures.testApp.call(
          fixtures.member,
          playlists.addPlaylistItems,
          { params, body: { items: [{ file_id: fixtures.home.file }] } },
          { headers: { "idempotency-key": "item-once" } },
        );
      const first = (await add()).response.data;
      expect((await add()).response.data).toEqual(first);
      expect(await itemIdsOf(fixtures, params.playlist_id)).toHaveLength(3);
    },
    "limits the files of a playlist": async (fixtures) => {
      const { playlist_id } = await createWithItems(fixtures, LIMITS.playlist_items);
      const body = { items: [{ file_id: fixtures.home.file }] };
      const { status, problem } = await fixtures.testApp.call(fixtures.member, playlists.addPlaylistItems, { params: { playlist_id }, body });
      expect([status, problem.detail]).toEqual([409, "A playlist can have at most 200 files."]);
    },
  },
};

export const movePlaylistItems: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    const { playlist_id, ids } = await createWithItems(fixtures, 4);
    return { params: { playlist_id }, body: { item_ids: [ids[3], ids[2]], before_item_id: ids[0] } };
  },
  assertResponse: async ({ data, input, fixtures }) => {
    expect(data).toMatchObject({ object: "playlist", revision: 2, item_count: 4 });
    const { item_ids, before_item_id } = input.body as { item_ids: number[]; before_item_id: number };
    const order = await itemIdsOf(fixtures, (input.params as { playlist_id: number }).playlist_id);
    expect(order.slice(0, 3)).toEqual([...item_ids, before_item_id]);
  },
  invalid: {
    "params.playlist_id": BAD_ID_IN_PATH,
    "body.item_ids": [...BAD_IDS, [999_999]],
    "body.before_item_id": [...withoutNull(BAD_ID), 999_999],
  },
  rejectedRequests: [
    ...inaccessiblePlaylists({ item_ids: [1], before_item_id: null }),
    ...deletedPlaylist({ item_ids: [1], before_item_id: null }),
    ["an item twice", (fixtures) => moveRequest(fixtures, ([first]) => [first, first], null), 400],
    ["before one of the moved items", (fixtures) => moveRequest(fixtures, ([first]) => [first], 0), 400],
    [
      "an item of another playlist",
      async (fixtures) => {
        const other = await createWithItems(fixtures, 1);
        return moveRequest(fixtures, () => other.ids, null);
      },
      400,
    ],
  ],
  edgeCases: {
    "null moves to the end, and the same order changes nothing": async (fixtures) => {
      const { testApp, member } = fixtures;
      const { playlist_id, ids } = await createWithItems(fixtures, 3);
      const [first, second, third] = ids as [number, number, number];
      const move = async (item_ids: number[], before_item_id: number | null) => {
        const { response } = await testApp.call(member, playlists.movePlaylistItems, { params: { playlist_id }, body: { item_ids, before_item_id } });
        return [response.data.revision, await itemIdsOf(fixtures, playlist_id)];
      };
      expect(await move([first], null)).toEqual([2, [second, third, first]]);
      expect(await move([third, first], null)).toEqual([2, [second, third, first]]);
      expect(await move([third], second)).toEqual([3, [third, second, first]]);
    },
    "simultaneous moves leave every item once": async (fixtures) => {
      const { testApp, member } = fixtures;
      const { playlist_id, ids } = await createWithItems(fixtures, 6);
      await Promise.all(
        ids.map((id, index) =>
          testApp.call(member, playlists.movePlaylistItems, {
            params: { playlist_id },
            body: { item_ids: [id], before_item_id: ids[(index + 3) % ids.length] ?? null },
          }),
        ),
      );
      expect((await itemIdsOf(fixtures, playlist_id)).toSorted((a, b) => a - b)).toEqual(ids);
    },
  },
};
async function moveRequest(fixtures: Fixtures, select: (ids: number[]) => (number | undefined)[], beforeIndex: number | null) {
  const { playlist_id, ids } = await createWithItems(fixtures, 2);
  return { params: { playlist_id }, body: { item_ids: select(ids), before_item_id: beforeIndex === null ? null : ids[beforeIndex] } };
}

export const removePlaylistItems: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    const { playlist_id, ids } = await createWithItems(fixtures, 3);
    return { params: { playlist_id }, body: { item_ids: [ids[1], 999_999] } };
  },
  assertResponse: async ({ data, input, fixtures }) => {
    expect(data).toMatchObject({ revision: 2, item_count: 2 });
    expect(await itemIdsOf(fixtures, data.id)).not.toContain((input.body as { item_ids: number[] }).item_ids[0]);
  },
  invalid: { "params.playlist_id": BAD_ID_IN_PATH, "body.item_ids": BAD_IDS },
  rejectedRequests: [...inaccessiblePlaylists({ item_ids: [1] }), ...deletedPlaylist({ item_ids: [1] })],
  edgeCases: {
    "leaves items of other playlists": async (fixtures) => {
      const other = await createWithItems(fixtures, 1);
      const { playlist_id } = await createWithItems(fixtures, 1);
      await fixtures.testApp.call(fixtures.member, playlists.removePlaylistItems, { params: { playlist_id }, body: { item_ids: other.ids } });
      expect(await itemIdsOf(fixtures, other.playlist_id)).toEqual(other.ids);
    },
  },
};

const itemParams = async (fixtures: Fixtures) => {
  const { playlist_id, ids } = await createWithItems(fixtures, 1);
  return { playlist_id, item_id: ids[0] ?? 0 };
};

export const updatePlaylistItem: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: await itemParams(fixtures), body: { version: 1 } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data).toMatchObject({ pinned_version: 1, newest_version: 1, file: { id: home.file, version: 1 } }),
  invalid: {
    "params.playlist_id": BAD_ID_IN_PATH,
    "params.item_id": BAD_ID_IN_PATH,
    "body.version": [...withoutNull(BAD_ID), 2, 999_999_999_999],
  },
  rejectedRequests: [
    ...inaccessiblePlaylists({ version: 1 }, { item_id: 1 }),
    ...deletedPlaylist({ version: 1 }, { item_id: 1 }),
    [
      "an item of another playlist",
      async (fixtures) => ({
        params: { playlist_id: (await createWithItems(fixtures, 1)).playlist_id, item_id: (await itemParams(fixtures)).item_id },
        body: { version: 1 },
      }),
      404,
    ],
  ],
  edgeCases: {
    "null plays the newest version again": async (fixtures) => {
      const params = await itemParams(fixtures);
      const pin = async (version: number | null) =>
        (await fixtures.testApp.call(fixtures.member, playlists.updatePlaylistItem, { params, body: { version } })).response.data.pinned_version;
      expect([await pin(1), await pin(null)]).toEqual([1, null]);
    },
  },
};
