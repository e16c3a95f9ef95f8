import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import { deleteMessage } from "../../../contract/operations/messages.ts";
import { insertPlaylist } from "../favorites.ts";
import { createMessage } from "../fixtures.ts";
import type { EndpointCase } from "./case.ts";
import { createFile } from "./helpers.ts";
import { BAD_ITEM, BAD_PAGE, member, paramsOf, hiddenItems, favoriteNames, addItem, removeItems } from "./favorite-helpers.ts";

export const listFavorites: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await removeItems(fixtures);
    const { home, testApp, owner } = fixtures;
    await addItem(fixtures, "project", home.project);
    await addItem(fixtures, "file", home.folder);
    await addItem(fixtures, "playlist", await insertPlaylist(testApp, home.project, owner.id));
    await addItem(fixtures, "message", await createMessage(testApp, owner, home.project, `Ask <@${fixtures.member.id}> about **that**`));
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
      await removeItems(fixtures);
      const ids = [await createFile(fixtures, "one.wav"), await createFile(fixtures, "two.wav"), await createFile(fixtures, "three.wav")];
      for (const id of ids) await addItem(fixtures, "file", id);
      await addItem(fixtures, "project", fixtures.home.project);
      const { response: first } = await fixtures.testApp.call(fixtures.member, favorites.listFavorites, { query: { type: "file", limit: "2" } });
      expect(first.data.map(({ item }) => item.id)).toEqual([ids[2], ids[1]]);
      const { response: last } = await fixtures.testApp.call(fixtures.member, favorites.listFavorites, {
        query: { type: "file", limit: "2", cursor: first.next_cursor ?? "" },
      });
      expect([last.data.map(({ item }) => item.id), last.next_cursor]).toEqual([[ids[0]], null]);
    },
    "shows nobody else's, and what is deleted leaves the list": async (fixtures) => {
      await removeItems(fixtures);
      const { testApp, home, guest, member: caller } = fixtures;
      const message_id = await createMessage(testApp, caller, home.project, "Soon gone");
      await addItem(fixtures, "message", message_id);
      await addItem(fixtures, "project", home.project);
      expect((await testApp.call(guest, favorites.listFavorites, { query: {} })).response.data).toEqual([]);
      expect(await favoriteNames(fixtures)).toEqual(["project home", "message Soon gone"]);
      await testApp.call(caller, deleteMessage, { params: { project_id: String(home.project), message_id: String(message_id) } });
      expect(await favoriteNames(fixtures)).toEqual(["project home"]);
    },
  },
};

export const addFavorite: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await removeItems(fixtures);
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
      await removeItems(fixtures);
      const replies = await Promise.all([1, 2, 3].map(() => addItem(fixtures, "file", fixtures.home.file)));
      expect(new Set(replies.map(({ response }) => response.data.id)).size).toBe(1);
      expect(await favoriteNames(fixtures)).toEqual(["file mix.wav"]);
    },
    "is limited": async (fixtures) => {
      await removeItems(fixtures);
      const { testApp, home, member: caller } = fixtures;
      const rows = Array.from({ length: LIMITS.favorites }, (_, index) => ({
        account_id: caller.id,
        item_type: "message" as const,
        item_id: 1_000_000 + index,
        created_at: 1,
      }));
      await testApp.database.write((tx) => tx.insertInto("favorites").values(rows).execute());
      const refused = await addItem(fixtures, "file", home.file);
      expect([refused.status, refused.problem.detail]).toEqual([409, "You can have at most 500 favorites. Remove one first."]);
      await testApp.call(caller, favorites.removeFavorite, paramsOf("message", 1_000_000));
      expect((await addItem(fixtures, "file", home.file)).status).toBe(200);
    },
  },
};

export const removeFavorite: EndpointCase = {
  caller: member,
  valid: async (fixtures) => {
    await removeItems(fixtures);
    await addItem(fixtures, "project", fixtures.home.project);
    await addItem(fixtures, "file", fixtures.home.file);
    return paramsOf("file", fixtures.home.file);
  },
  assertResponse: async ({ fixtures }) => expect(await favoriteNames(fixtures)).toEqual(["project home"]),
  invalid: BAD_ITEM,
  rejectedRequests: [],
  edgeCases: {
    "does nothing without a favorite, and leaves those of others": async (fixtures) => {
      const { testApp, home, guest, member: caller } = fixtures;
      await testApp.call(guest, favorites.addFavorite, paramsOf("file", home.file));
      await removeItems(fixtures);
      expect((await testApp.call(caller, favorites.removeFavorite, paramsOf("file", home.file))).status).toBe(204);
      expect((await testApp.call(guest, favorites.listFavorites, { query: {} })).response.data).toHaveLength(1);
    },
  },
};
