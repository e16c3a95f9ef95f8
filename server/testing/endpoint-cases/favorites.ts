import { expect } from "vitest";
import type { FavoriteType } from "../../../contract/favorite-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { deleteMessage } from "../../../contract/operations/messages.ts";
import { insertPlaylist } from "../favorites.ts";
import { createMessage, type Fixtures, type ProjectFixture } from "../fixtures.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, type EndpointCase } from "./case.ts";
import { createFile } from "./helpers.ts";

const BAD_TYPE = ["folder", "", "File", "constructor", "%00"];
const BAD_ITEM = { "params.type": BAD_TYPE, "params.item_id": BAD_ID_IN_PATH };
const BAD_PAGE = { "query.type": BAD_TYPE, "query.cursor": ["x", "YWZ0ZXI6eA"], "query.limit": BAD_LIMIT_IN_QUERY };

const member = ({ member: person }: Fixtures) => person;
const paramsOf = (type: FavoriteType, item_id: number) => ({ params: { type, item_id } as never });

/** Items that a member of `home` does not see. */
function hiddenItems(body: object | undefined, types: readonly FavoriteType[]): EndpointCase["rejectedRequests"] {
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

const namesOf = async ({ testApp, member: caller }: Fixtures, query: object = {}) =>
  (await testApp.call(caller, favorites.listFavorites, { query })).response.data.map(({ item }) => `${item.type} ${item.name}`);
const recentNamesOf = async ({ testApp, member: caller }: Fixtures) =>
  (await testApp.call(caller, favorites.listRecentItems, { query: {} })).response.data.map(({ item }) => `${item.type} ${item.name}`);
const add = ({ testApp, member: caller }: Fixtures, type: FavoriteType, id: number) => testApp.call(caller, favorites.addFavorite, paramsOf(type, id));
const record = ({ testApp, member: caller }: Fixtures, type: "project" | "file" | "playlist", item_id: number, action: "opened" | "played" = "opened") =>
  testApp.call(caller, favorites.recordRecentItem, { params: { type, item_id: String(item_id) }, body: { action } });

async function reset({ testApp, member: { id } }: Fixtures): Promise<void> {
  await testApp.database.write(async (tx) => {
    await tx.deleteFrom("favorites").where("account_id", "=", id).execute();
    await tx.deleteFrom("recent_items").where("account_id", "=", id).execute();
  });
}

export const listFavorites: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    const { home, testApp, owner } = fixtures;
    await add(fixtures, "project", home.project);
    await add(fixtures, "file", home.folder);
    await add(fixtures, "playlist", await insertPlaylist(testApp, home.project, owner.id));
    await add(fixtures, "message", await createMessage(testApp, owner, home.project, `Ask <@${fixtures.member.id}> about **that**`));
    return { query: {} };
  },
  assertResponse: ({ response, fixtures: { home, owner, member: person } }) => {
    expect(response.next_cursor).toBeNull();
    expect(response.data.map(({ item }: { item: object }) => item)).toEqual([
      {
        type: "message",
        id: expect.any(Number),
        project_id: home.project,
        project_name: "home",
        name: `Ask @${person.name} about **that**`,
        account_id: owner.id,
        account_name: owner.name,
        is_audio_message: false,
        attachment_name: null,
      },
      { type: "playlist", id: expect.any(Number), project_id: home.project, project_name: "home", name: "For the label" },
      { type: "file", id: home.folder, project_id: home.project, project_name: "home", name: "Mixes", kind: "folder" },
      { type: "project", id: home.project, project_id: home.project, project_name: "home", name: "home" },
    ]);
  },
  invalid: BAD_PAGE,
  rejectedRequests: [],
  edgeCases: {
    "has pages and can be limited to a type": async (fixtures) => {
      await reset(fixtures);
      const ids = [await createFile(fixtures, "one.wav"), await createFile(fixtures, "two.wav"), await createFile(fixtures, "three.wav")];
      for (const id of ids) await add(fixtures, "file", id);
      await add(fixtures, "project", fixtures.home.project);
      const { response: first } = await fixtures.testApp.call(fixtures.member, favorites.listFavorites, { query: { type: "file", limit: "2" } });
      expect(first.data.map(({ item }) => item.id)).toEqual([ids[2], ids[1]]);
      const { response: last } = await fixtures.testApp.call(fixtures.member, favorites.listFavorites, {
        query: { type: "file", limit: "2", cursor: first.next_cursor ?? "" },
      });
      expect([last.data.map(({ item }) => item.id), last.next_cursor]).toEqual([[ids[0]], null]);
    },
    "shows nobody else's, and what is deleted leaves the list": async (fixtures) => {
      await reset(fixtures);
      const { testApp, home, guest, member: caller } = fixtures;
      const message_id = await createMessage(testApp, caller, home.project, "Soon gone");
      await add(fixtures, "message", message_id);
      await add(fixtures, "project", home.project);
      expect((await testApp.call(guest, favorites.listFavorites, { query: {} })).response.data).toEqual([]);
      expect(await namesOf(fixtures)).toEqual(["project home", "message Soon gone"]);
      await testApp.call(caller, deleteMessage, { params: { project_id: String(home.project), message_id: String(message_id) } });
      expect(await namesOf(fixtures)).toEqual(["project home"]);
    },
  },
};

export const addFavorite: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    return paramsOf("file", fixtures.home.file);
  },
  assertResponse: ({ data, fixtures: { home, testApp } }) =>
    expect(data).toMatchObject({
      object: "favorite",
      item: { type: "file", id: home.file, name: "mix.wav", kind: "audio" },
      created_at: new Date(testApp.clock.now()).toISOString(),
    }),
  invalid: BAD_ITEM,
  rejectedRequests: hiddenItems(undefined, ["project", "file", "playlist", "message"]),
  edgeCases: {
    "is idempotent, also at the same time": async (fixtures) => {
      await reset(fixtures);
      const replies = await Promise.all([1, 2, 3].map(() => add(fixtures, "file", fixtures.home.file)));
      expect(new Set(replies.map(({ response }) => response.data.id)).size).toBe(1);
      expect(await namesOf(fixtures)).toEqual(["file mix.wav"]);
    },
    "is limited": async (fixtures) => {
      await reset(fixtures);
      const { testApp, home, member: caller } = fixtures;
      const rows = Array.from({ length: LIMITS.favorites }, (_, index) => ({
        account_id: caller.id,
        item_type: "message" as const,
        item_id: 1_000_000 + index,
        created_at: 1,
      }));
      await testApp.database.write((tx) => tx.insertInto("favorites").values(rows).execute());
      const refused = await add(fixtures, "file", home.file);
      expect([refused.status, refused.problem.detail]).toEqual([409, "You can have at most 500 favorites. Remove one first."]);
      await testApp.call(caller, favorites.removeFavorite, paramsOf("message", 1_000_000));
      expect((await add(fixtures, "file", home.file)).status).toBe(200);
    },
  },
};

export const removeFavorite: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    await add(fixtures, "project", fixtures.home.project);
    await add(fixtures, "file", fixtures.home.file);
    return paramsOf("file", fixtures.home.file);
  },
  assertResponse: async ({ fixtures }) => expect(await namesOf(fixtures)).toEqual(["project home"]),
  invalid: BAD_ITEM,
  rejectedRequests: [],
  edgeCases: {
    "does nothing without a favorite, and leaves those of others": async (fixtures) => {
      const { testApp, home, guest, member: caller } = fixtures;
      await testApp.call(guest, favorites.addFavorite, paramsOf("file", home.file));
      await reset(fixtures);
      expect((await testApp.call(caller, favorites.removeFavorite, paramsOf("file", home.file))).status).toBe(204);
      expect((await testApp.call(guest, favorites.listFavorites, { query: {} })).response.data).toHaveLength(1);
    },
  },
};

export const listRecentItems: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    await record(fixtures, "file", fixtures.home.file, "played");
    await record(fixtures, "project", fixtures.home.project);
    return { query: {} };
  },
  assertResponse: ({ response, fixtures: { testApp } }) => {
    const now = new Date(testApp.clock.now()).toISOString();
    expect(response).toMatchObject({
      data: [
        { item: { type: "project", name: "home" }, opened_at: now, played_at: null },
        { item: { type: "file", name: "mix.wav", kind: "audio" }, opened_at: null, played_at: now },
      ],
      next_cursor: null,
    });
  },
  invalid: BAD_PAGE,
  rejectedRequests: [],
  edgeCases: {
    "shows nobody else's, and can be limited to a type": async (fixtures) => {
      await reset(fixtures);
      await record(fixtures, "file", fixtures.home.file);
      await record(fixtures, "project", fixtures.home.project);
      const { testApp, owner, member: caller } = fixtures;
      const list = async (person: typeof owner, query: object) => (await testApp.call(person, favorites.listRecentItems, { query })).response.data;
      expect(await list(owner, {})).toEqual([]);
      expect((await list(caller, { type: "file" })).map(({ item }) => item.type)).toEqual(["file"]);
    },
  },
};

export const recordRecentItem: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    return { ...paramsOf("file", fixtures.home.file), body: { action: "played" } };
  },
  assertResponse: ({ data, fixtures: { home, testApp } }) =>
    expect(data).toMatchObject({ object: "recent_item", item: { id: home.file }, opened_at: null, played_at: new Date(testApp.clock.now()).toISOString() }),
  invalid: { ...BAD_ITEM, "params.type": [...BAD_TYPE, "message"], "body.action": ["", "seen", 5, null] },
  rejectedRequests: hiddenItems({ action: "opened" }, ["project", "file", "playlist"]),
  edgeCases: {
    "moves an item to the top, and keeps when it was last played": async (fixtures) => {
      await reset(fixtures);
      const { home, testApp } = fixtures;
      const playedAt = new Date(testApp.clock.now()).toISOString();
      await record(fixtures, "file", home.file, "played");
      await record(fixtures, "project", home.project);
      testApp.clock.advance(1_000);
      const { data } = (await record(fixtures, "file", home.file)).response;
      expect([data.played_at, data.opened_at]).toEqual([playedAt, new Date(testApp.clock.now()).toISOString()]);
      expect(await recentNamesOf(fixtures)).toEqual(["file mix.wav", "project home"]);
    },
    "stores nothing if the newest item is opened again at once": async (fixtures) => {
      await reset(fixtures);
      const { home, testApp, member: caller } = fixtures;
      const countEvents = async () =>
        (
          await testApp.database.read
            .selectFrom("events")
            .select("seq")
            .where("topic", "=", `account:${caller.id}`)
            .where("type", "=", "recent_items.changed")
            .execute()
        ).length;
      const first = await record(fixtures, "file", home.file);
      const before = await countEvents();
      expect((await record(fixtures, "file", home.file)).response).toEqual(first.response);
      expect(await countEvents()).toBe(before);
      testApp.clock.advance(60_000);
      expect((await record(fixtures, "file", home.file)).response.data.id).not.toBe(first.response.data.id);
      expect(await countEvents()).toBe(before + 1);
    },
    "keeps the newest hundred of each account": async (fixtures) => {
      await reset(fixtures);
      const { testApp, home, member: caller, guest } = fixtures;
      const rowsOf = (account_id: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ account_id, item_type: "file" as const, item_id: 2_000_000 + index, opened_at: 1 }));
      await testApp.database.write((tx) =>
        tx
          .insertInto("recent_items")
          .values([...rowsOf(guest.id, 5), ...rowsOf(caller.id, LIMITS.recent_items)])
          .execute(),
      );
      await record(fixtures, "file", home.file);
      const stored = await testApp.database.read.selectFrom("recent_items").select(["account_id", "item_id"]).orderBy("id").execute();
      const idsOf = (account: number) => stored.filter(({ account_id }) => account_id === account).map(({ item_id }) => item_id);
      expect(idsOf(caller.id)).toHaveLength(LIMITS.recent_items);
      expect(idsOf(caller.id)[0]).toBe(2_000_001);
      expect(idsOf(guest.id)).toHaveLength(5);
      await testApp.database.write((tx) => tx.deleteFrom("recent_items").where("account_id", "=", guest.id).execute());
    },
  },
};

export const removeRecentItem: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    await record(fixtures, "project", fixtures.home.project);
    await record(fixtures, "file", fixtures.home.file);
    return paramsOf("file", fixtures.home.file);
  },
  assertResponse: async ({ fixtures }) => expect(await recentNamesOf(fixtures)).toEqual(["project home"]),
  invalid: { ...BAD_ITEM, "params.type": [...BAD_TYPE, "message"] },
  rejectedRequests: [],
  edgeCases: {},
};

export const clearRecentItems: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await reset(fixtures);
    await record(fixtures, "file", fixtures.home.file);
    return {};
  },
  assertResponse: async ({ fixtures }) => expect(await recentNamesOf(fixtures)).toEqual([]),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "leaves favorites, and what others opened": async (fixtures) => {
      await reset(fixtures);
      const { testApp, home, guest, member: caller } = fixtures;
      await add(fixtures, "file", home.file);
      await testApp.call(guest, favorites.recordRecentItem, { ...paramsOf("file", home.file), body: { action: "opened" } });
      await testApp.call(caller, favorites.clearRecentItems);
      expect(await namesOf(fixtures)).toEqual(["file mix.wav"]);
      expect((await testApp.call(guest, favorites.listRecentItems, { query: {} })).response.data).toHaveLength(1);
    },
  },
};
