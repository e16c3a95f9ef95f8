import { expect } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import type { Caller, UntypedInput } from "../client.ts";
import { upload } from "../files.ts";
import { createMessage, type Fixtures, type ProjectFixture } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_TIMESTAMP_IN_QUERY, badText, type EndpointCase } from "./case.ts";
import { createFile, inaccessibleFilesInPath } from "./helpers.ts";

const createMessageParams = async (fixtures: Fixtures, caller: Caller = fixtures.member, body = "endpoint case") => ({
  project_id: fixtures.home.project,
  message_id: await createMessage(fixtures.testApp, caller, fixtures.home.project, body),
});
const createDeletedMessage = async (fixtures: Fixtures, caller: Caller = fixtures.member) => {
  const params = await createMessageParams(fixtures, caller);
  await fixtures.testApp.call(caller, messages.deleteMessage, { params });
  return params;
};
const BAD_PARAMS = { "params.project_id": BAD_ID_IN_PATH, "params.message_id": BAD_ID_IN_PATH };
const EMOJI = "👍";
const BAD_EMOJI = ["x", "1", "👍👍", "❤", "%00", "🏽🏽", `${"👩‍".repeat(30)}👩`, "<b>"];
/** Cases in which a member of `home` requests messages of other projects. */
const inaccessibleMessages = (overrides: { body?: unknown; params?: object } = {}): EndpointCase["rejectedRequests"] => {
  const inputFor = (select: (fixtures: Fixtures) => [ProjectFixture, ProjectFixture]) => (fixtures: Fixtures) => {
    const [project, message] = select(fixtures);
    return { ...overrides, params: { project_id: project.project, message_id: message.message, ...overrides.params } } satisfies UntypedInput;
  };
  return [
    ["a message of another project of the same team", inputFor(({ next }) => [next, next]), 404],
    ["a message of another organization", inputFor(({ foreign }) => [foreign, foreign]), 404],
    ["a message of another project through the caller's own project", inputFor(({ home, next }) => [home, next]), 404],
    ["a message that does not exist", ({ home }) => ({ ...overrides, params: { project_id: home.project, message_id: 999_999, ...overrides.params } }), 404],
  ];
};
const inaccessibleProjects = (overrides: object = {}): EndpointCase["rejectedRequests"] => [
  ["another project of the same team", ({ next }) => ({ ...overrides, params: { project_id: next.project } }), 404],
  ["a project of another organization", ({ foreign }) => ({ ...overrides, params: { project_id: foreign.project } }), 404],
];

export const editMessage: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: await createMessageParams(fixtures), body: { body: "better" } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({
      account_id: fixtures.member.id,
      body: "better",
      edited: true,
      revision: 2,
      edited_at: new Date(fixtures.testApp.clock.now()).toISOString(),
    }),
  invalid: { ...BAD_PARAMS, "body.body": [...badText(10_000), "", " \n "] },
  rejectedRequests: [
    ...inaccessibleMessages({ body: { body: "mine" } }),
    ["another person's message", async (fixtures) => ({ params: await createMessageParams(fixtures, fixtures.owner), body: { body: "mine" } }), 403],
    ["a deleted message", async (fixtures) => ({ params: await createDeletedMessage(fixtures), body: { body: "late" } }), 409],
  ],
  edgeCases: {
    "the same text changes nothing": async (fixtures) => {
      const params = await createMessageParams(fixtures, fixtures.member, "as it is");
      const reply = await fixtures.testApp.call(fixtures.member, messages.editMessage, { params, body: { body: "as it is" } });
      expect(reply.response.data).toMatchObject({ revision: 1, edited: false });
    },
    "rejects an owner for another person's message": async (fixtures) => {
      const reply = await fixtures.testApp.call(fixtures.owner, messages.editMessage, { params: await createMessageParams(fixtures), body: { body: "x" } });
      expect(reply.status).toBe(403);
    },
  },
};

export const deleteMessage: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: await createMessageParams(fixtures) }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ deleted: true, body: "", attachments: [], reactions: [], mentions: [], revision: 2 }),
  invalid: BAD_PARAMS,
  rejectedRequests: [
    ...inaccessibleMessages(),
    ["another person's message", async (fixtures) => ({ params: await createMessageParams(fixtures, fixtures.owner) }), 403],
  ],
  edgeCases: {
    "an admin can delete any message, and a second deletion changes nothing": async (fixtures) => {
      const params = await createMessageParams(fixtures);
      const first = await fixtures.testApp.call(fixtures.admin, messages.deleteMessage, { params });
      const second = await fixtures.testApp.call(fixtures.member, messages.deleteMessage, { params });
      expect(second.response.data).toEqual(first.response.data);
    },
  },
};

export const restoreMessage: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: await createDeletedMessage(fixtures) }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ deleted: false, body: "endpoint case", revision: 3 }),
  invalid: BAD_PARAMS,
  rejectedRequests: [
    ...inaccessibleMessages(),
    ["another person's message", async (fixtures) => ({ params: await createDeletedMessage(fixtures, fixtures.owner) }), 403],
    [
      "the caller's own message deleted by an admin",
      async (fixtures) => {
        const params = await createMessageParams(fixtures);
        await fixtures.testApp.call(fixtures.admin, messages.deleteMessage, { params });
        return { params };
      },
      403,
    ],
  ],
  edgeCases: {
    "returns a message that is not deleted unchanged": async (fixtures) => {
      const reply = await fixtures.testApp.call(fixtures.member, messages.restoreMessage, { params: await createMessageParams(fixtures) });
      expect(reply.response.data).toMatchObject({ deleted: false, revision: 1 });
    },
    "returns a conflict after ten minutes": async (fixtures) => {
      const params = await createDeletedMessage(fixtures);
      fixtures.testApp.clock.advance(600_000);
      const restored = await fixtures.testApp.call(fixtures.member, messages.restoreMessage, { params });
      expect(restored.status).toBe(200);
      await fixtures.testApp.call(fixtures.member, messages.deleteMessage, { params });
      fixtures.testApp.clock.advance(600_001);
      expect((await fixtures.testApp.call(fixtures.member, messages.restoreMessage, { params })).status).toBe(409);
    },
  },
};

export const addReaction: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { ...(await createMessageParams(fixtures)), emoji: EMOJI } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({ reactions: [{ emoji: EMOJI, account_ids: [fixtures.guest.id] }], revision: 2, edited: false }),
  invalid: { ...BAD_PARAMS, "params.emoji": BAD_EMOJI },
  rejectedRequests: [
    ...inaccessibleMessages({ params: { emoji: EMOJI } }),
    ["a deleted message", async (fixtures) => ({ params: { ...(await createDeletedMessage(fixtures)), emoji: EMOJI } }), 409],
  ],
  edgeCases: {
    "ignores a repetition, adds other people, and treats a joined emoji as one reaction": async (fixtures) => {
      const params = await createMessageParams(fixtures);
      const react = (caller: Caller, emoji: string) => fixtures.testApp.call(caller, messages.addReaction, { params: { ...params, emoji } });
      await react(fixtures.guest, EMOJI);
      expect((await react(fixtures.guest, EMOJI)).response.data.revision).toBe(2);
      await react(fixtures.member, "👩🏿‍❤️‍💋‍👨🏻");
      expect((await react(fixtures.owner, EMOJI)).response.data).toMatchObject({
        reactions: [
          { emoji: EMOJI, account_ids: [fixtures.owner.id, fixtures.guest.id].sort((a, b) => a - b) },
          { emoji: "👩🏿‍❤️‍💋‍👨🏻", account_ids: [fixtures.member.id] },
        ],
        revision: 4,
      });
    },
  },
};

export const removeReaction: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const params = { ...(await createMessageParams(fixtures)), emoji: EMOJI };
    await fixtures.testApp.call(fixtures.guest, messages.addReaction, { params });
    return { params };
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ reactions: [], revision: 3 }),
  invalid: { ...BAD_PARAMS, "params.emoji": BAD_EMOJI },
  rejectedRequests: inaccessibleMessages({ params: { emoji: EMOJI } }),
  edgeCases: {
    "removes only the caller's own reaction": async (fixtures) => {
      const params = { ...(await createMessageParams(fixtures)), emoji: EMOJI };
      await fixtures.testApp.call(fixtures.member, messages.addReaction, { params });
      const reply = await fixtures.testApp.call(fixtures.guest, messages.removeReaction, { params });
      expect(reply.response.data).toMatchObject({ reactions: [{ emoji: EMOJI, account_ids: [fixtures.member.id] }], revision: 2 });
    },
  },
};

export const findFirstMessage: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { project_id: home.project }, query: { since: "2000-01-01T00:00:00Z" } }),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ id: fixtures.home.message, body: "Welcome to home" }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.since": BAD_TIMESTAMP_IN_QUERY },
  rejectedRequests: inaccessibleProjects({ query: { since: "2000-01-01T00:00:00Z" } }),
  edgeCases: {
    "finds a message written at that moment, skips deleted ones, and returns 404 after the last": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      testApp.clock.advance(60_000);
      const since = new Date(testApp.clock.now()).toISOString();
      const findFirst = (timestamp: string) =>
        testApp.call(member, messages.findFirstMessage, { params: { project_id: home.project }, query: { since: timestamp } });
      await createDeletedMessage(fixtures);
      const id = await createMessage(testApp, member, home.project, "first of the day");
      expect((await findFirst(since)).response.data.id).toBe(id);
      expect((await findFirst(since.replace("Z", "+00:00"))).response.data.id).toBe(id);
      expect((await findFirst(new Date(testApp.clock.now() + 1).toISOString())).status).toBe(404);
    },
  },
};

export const listReaders: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, guest, home }) => {
    await testApp.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: home.message } });
    return { params: { project_id: home.project } };
  },
  assertResponse: ({ data, fixtures }) => {
    const accounts = (data as { account_id: number }[]).map(({ account_id }) => account_id);
    expect(accounts).toContain(fixtures.guest.id);
    expect(accounts).not.toContain(fixtures.member.id);
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleProjects(),
  edgeCases: {
    "omits a removed member, who has read everything when added again": async ({ testApp, owner, next, neighbor, guestNextDoor }) => {
      await testApp.call(neighbor, chat.moveReadMarker, { params: { project_id: next.project }, body: { message_id: next.message } });
      const loadReaders = async () => (await testApp.call(guestNextDoor, messages.listReaders, { params: { project_id: next.project } })).response.data;
      expect((await loadReaders()).find(({ account_id }) => account_id === neighbor.id)).toMatchObject({ last_read_message_id: expect.any(Number) });
      await testApp.call(owner, removeProjectMember, { params: { project_id: next.project, account_id: neighbor.id } });
      expect((await loadReaders()).map(({ account_id }) => account_id)).not.toContain(neighbor.id);
      const newest = await createMessage(testApp, owner, next.project, "while they were away");
      await testApp.call(owner, addProjectMember, { params: { project_id: next.project }, body: { account_id: neighbor.id } });
      expect((await loadReaders()).find(({ account_id }) => account_id === neighbor.id)).toMatchObject({ last_read_message_id: newest });
    },
  },
};

export const listFileMessages: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    await fixtures.testApp.call(fixtures.member, chat.sendMessage, {
      body: { project_id: fixtures.home.project, body: "The take", attachment_ids: [file_id] },
    });
    return { params: { file_id } };
  },
  assertResponse: ({ data, fixtures }) =>
    expect(data).toEqual([
      {
        message_id: expect.any(Number),
        project_id: fixtures.home.project,
        version: 1,
        account_id: fixtures.member.id,
        datetime: expect.any(String),
        excerpt: "The take",
      },
    ]),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {
    "begins with the newest version, and leaves deleted messages out": async (fixtures) => {
      const { testApp, member, guest, home } = fixtures;
      const name = "song with versions.wav";
      const file_id = await createFile(fixtures, name);
      const send = async (body: string) =>
        (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body, attachment_ids: [file_id] } })).response.data.id;
      const excerpts = async () =>
        (await testApp.call(guest, messages.listFileMessages, { params: { file_id } })).response.data.map(({ version, excerpt }) => `v${version} ${excerpt}`);
      expect(await excerpts()).toEqual([]);
      await send("first");
      await send("again");
      await upload(testApp, member, { name, versionOf: file_id });
      const message_id = await send("newest");
      expect(await excerpts()).toEqual(["v2 newest", "v1 again", "v1 first"]);
      await testApp.call(member, messages.deleteMessage, { params: { project_id: home.project, message_id } });
      expect(await excerpts()).toEqual(["v1 again", "v1 first"]);
    },
  },
};

export const markUnread: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const { testApp, guest, home } = fixtures;
    const { message_id } = await createMessageParams(fixtures);
    await testApp.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id } });
    return { params: { project_id: home.project }, body: { message_id } };
  },
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ project_id: fixtures.home.project, unread_count: 1, mention_count: 0 }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "body.message_id": [...BAD_ID, 999_999] },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project }, body: { message_id: next.message } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project }, body: { message_id: foreign.message } }), 404],
    ["a message of another project", ({ home, next }) => ({ params: { project_id: home.project }, body: { message_id: next.message } }), 400],
  ],
  edgeCases: {
    "the first message makes everything unread": async ({ testApp, neighbor, next }) => {
      const reply = await testApp.call(neighbor, messages.markUnread, { params: { project_id: next.project }, body: { message_id: next.message } });
      expect(reply.response.data.last_read_message_id).toBe(0);
      expect(reply.response.data.unread_count).toBeGreaterThan(0);
    },
    "an unread message changes nothing": async (fixtures) => {
      const { testApp, guestNextDoor, owner, next } = fixtures;
      const target = { params: { project_id: next.project } };
      await testApp.call(guestNextDoor, messages.markUnread, { ...target, body: { message_id: next.message } });
      const later = await createMessage(testApp, owner, next.project, "later");
      const reply = await testApp.call(guestNextDoor, messages.markUnread, { ...target, body: { message_id: later } });
      expect(reply.response.data.last_read_message_id).toBe(0);
    },
  },
};

export const searchMessages: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { project_id: home.project }, query: { q: "Home WELCO" } }),
  assertResponse: ({ response, fixtures }) =>
    expect(response).toMatchObject({ object: "list", data: [{ id: fixtures.home.message, body: "Welcome to home" }], next_cursor: null }),
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "query.q": ["", "  ", "x".repeat(201), "two\nlines", "nul\0"],
    "query.account_id": BAD_ID_IN_PATH,
    "query.since": BAD_TIMESTAMP_IN_QUERY,
    "query.until": BAD_TIMESTAMP_IN_QUERY,
    "query.has": ["", "links", "file,link"],
    "query.cursor": ["nonsense", "x".repeat(201)],
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  rejectedRequests: [
    ...inaccessibleProjects({ query: { q: "welcome" } }),
    ["a search with an empty text", ({ home }) => ({ params: { project_id: home.project }, query: { q: "" } }), 400],
  ],
  edgeCases: {
    "without criteria pages through all messages, newest first, each once": async ({ testApp, owner, member, home }) => {
      for (let index = 0; index < 3; index += 1) await createMessage(testApp, owner, home.project, `page ${index}`);
      const list = async (query: { cursor?: string; limit: string }) =>
        (await testApp.call(member, messages.searchMessages, { params: { project_id: home.project }, query })).response;
      const paged: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await list({ limit: "2", ...(cursor ? { cursor } : {}) });
        paged.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      const all = (await list({ limit: "200" })).data.map(({ id }) => id);
      expect(paged).toEqual(all);
      expect(all).toEqual(all.toSorted((a, b) => b - a));
      expect(all).toContain(home.message);
    },
    "requires every word, allows a prefix as the last, and follows edits, deletions and restores": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      const find = async (q: string) =>
        (await testApp.call(member, messages.searchMessages, { params: { project_id: home.project }, query: { q } })).response.data.map(({ id }) => id);
      expect(await find("welcome hom")).toEqual([home.message]);
      const params = await createMessageParams(fixtures, member, "Kontrabaß zögernd");
      expect(await find("zogern")).toEqual([params.message_id]);
      await testApp.call(member, messages.editMessage, { params, body: { body: "Klavier forsch" } });
      expect([await find("zogern"), await find("klavier")]).toEqual([[], [params.message_id]]);
      await testApp.call(member, messages.deleteMessage, { params });
      expect(await find("klavier")).toEqual([]);
      await testApp.call(member, messages.restoreMessage, { params });
      expect(await find("klavier")).toEqual([params.message_id]);
    },
  },
};
