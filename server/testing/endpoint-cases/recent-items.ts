import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import type { EndpointCase } from "./case.ts";
import {
  BAD_ITEM,
  BAD_PAGE,
  BAD_TYPE,
  member,
  paramsOf,
  hiddenItems,
  favoriteNames,
  recentNames,
  addItem,
  recordItem,
  removeItems,
} from "./favorite-helpers.ts";

export const listRecentItems: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await removeItems(fixtures);
    await recordItem(fixtures, "file", fixtures.home.file, "played");
    await recordItem(fixtures, "project", fixtures.home.project);
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
      await removeItems(fixtures);
      await recordItem(fixtures, "file", fixtures.home.file);
      await recordItem(fixtures, "project", fixtures.home.project);
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
    await removeItems(fixtures);
    return { ...paramsOf("file", fixtures.home.file), body: { action: "played" } };
  },
  assertResponse: ({ data, fixtures: { home, testApp } }) =>
    expect(data).toMatchObject({ object: "recent_item", item: { id: home.file }, opened_at: null, played_at: new Date(testApp.clock.now()).toISOString() }),
  invalid: { ...BAD_ITEM, "params.type": [...BAD_TYPE, "message"], "body.action": ["", "seen", 5, null] },
  rejectedRequests: hiddenItems({ action: "opened" }, ["project", "file", "playlist"]),
  edgeCases: {
    "moves an item to the top, and keeps when it was last played": async (fixtures) => {
      await removeItems(fixtures);
      const { home, testApp } = fixtures;
      const playedAt = new Date(testApp.clock.now()).toISOString();
      await recordItem(fixtures, "file", home.file, "played");
      await recordItem(fixtures, "project", home.project);
      testApp.clock.advance(1_000);
      const { data } = (await recordItem(fixtures, "file", home.file)).response;
      expect([data.played_at, data.opened_at]).toEqual([playedAt, new Date(testApp.clock.now()).toISOString()]);
      expect(await recentNames(fixtures)).toEqual(["file mix.wav", "project home"]);
    },
    "stores nothing if the newest item is opened again at once": async (fixtures) => {
      await removeItems(fixtures);
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
      const first = await recordItem(fixtures, "file", home.file);
      const before = await countEvents();
      expect((await recordItem(fixtures, "file", home.file)).response).toEqual(first.response);
      expect(await countEvents()).toBe(before);
      testApp.clock.advance(60_000);
      expect((await recordItem(fixtures, "file", home.file)).response.data.id).not.toBe(first.response.data.id);
      expect(await countEvents()).toBe(before + 1);
    },
    "keeps the newest hundred of each account": async (fixtures) => {
      await removeItems(fixtures);
      const { testApp, home, member: caller, guest } = fixtures;
      const rowsOf = (account_id: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ account_id, item_type: "file" as const, item_id: 2_000_000 + index, opened_at: 1 }));
      await testApp.database.write((tx) =>
        tx
          .insertInto("recent_items")
          .values([...rowsOf(guest.id, 5), ...rowsOf(caller.id, LIMITS.recent_items)])
          .execute(),
      );
      await recordItem(fixtures, "file", home.file);
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
    await removeItems(fixtures);
    await recordItem(fixtures, "project", fixtures.home.project);
    await recordItem(fixtures, "file", fixtures.home.file);
    return paramsOf("file", fixtures.home.file);
  },
  assertResponse: async ({ fixtures }) => expect(await recentNames(fixtures)).toEqual(["project home"]),
  invalid: { ...BAD_ITEM, "params.type": [...BAD_TYPE, "message"] },
  rejectedRequests: [],
  edgeCases: {},
};

export const clearRecentItems: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await removeItems(fixtures);
    await recordItem(fixtures, "file", fixtures.home.file);
    return {};
  },
  assertResponse: async ({ fixtures }) => expect(await recentNames(fixtures)).toEqual([]),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "leaves favorites, and what others opened": async (fixtures) => {
      await removeItems(fixtures);
      const { testApp, home, guest, member: caller } = fixtures;
      await addItem(fixtures, "file", home.file);
      await testApp.call(guest, favorites.recordRecentItem, { ...paramsOf("file", home.file), body: { action: "opened" } });
      await testApp.call(caller, favorites.clearRecentItems);
      expect(await favoriteNames(fixtures)).toEqual(["file mix.wav"]);
      expect((await testApp.call(guest, favorites.listRecentItems, { query: {} })).response.data).toHaveLength(1);
    },
  },
};
