import { expect } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import { writeMessage, type Cast, type Place } from "../cast.ts";
import type { Caller, Wild } from "../client.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, type Case } from "./case.ts";

const inHome = async (cast: Cast, by: Caller = cast.member, body = "ladder") => ({
  project_id: cast.home.project,
  message_id: await writeMessage(cast.world, by, cast.home.project, body),
});
const removed = async (cast: Cast, by: Caller = cast.member) => {
  const params = await inHome(cast, by);
  await cast.world.call(by, messages.deleteMessage, { params });
  return params;
};
const BAD_PARAMS = { "params.project_id": BAD_ID_IN_PATH, "params.message_id": BAD_ID_IN_PATH };
const EMOJI = "👍";
const BAD_EMOJI = ["x", "1", "👍👍", "❤", "%00", "🏽🏽", `${"👩‍".repeat(30)}👩`, "<b>"];
/** A member of `home` asks for what stands elsewhere. */
const elsewhere = (more: { body?: unknown; params?: object } = {}): Case["foreign"] => {
  const at = (pick: (cast: Cast) => [Place, Place]) => (cast: Cast) => {
    const [project, message] = pick(cast);
    return { ...more, params: { project_id: project.project, message_id: message.message, ...more.params } } satisfies Wild;
  };
  return [
    ["a message of a project next door", at(({ next }) => [next, next]), 404],
    ["a message of another organisation", at(({ foreign }) => [foreign, foreign]), 404],
    ["a message of another project, by way of one's own", at(({ home, next }) => [home, next]), 404],
    ["a message that does not exist", ({ home }) => ({ ...more, params: { project_id: home.project, message_id: 999_999, ...more.params } }), 404],
  ];
};
const placeElsewhere = (more: object = {}): Case["foreign"] => [
  ["a project of the same team", ({ next }) => ({ ...more, params: { project_id: next.project } }), 404],
  ["a project of another organisation", ({ foreign }) => ({ ...more, params: { project_id: foreign.project } }), 404],
];

export const editMessage: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: await inHome(cast), body: { body: "better" } }),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({
      account_id: cast.member.id,
      body: "better",
      edited: true,
      revision: 2,
      edited_at: new Date(cast.world.clock.now()).toISOString(),
    }),
  bad: { ...BAD_PARAMS, "body.body": [...badText(10_000), "", " \n "] },
  foreign: [
    ...elsewhere({ body: { body: "mine" } }),
    ["a message of somebody else", async (cast) => ({ params: await inHome(cast, cast.owner), body: { body: "mine" } }), 403],
    ["a message that was deleted", async (cast) => ({ params: await removed(cast), body: { body: "late" } }), 409],
  ],
  edge: {
    "the same text again changes nothing": async (cast) => {
      const params = await inHome(cast, cast.member, "as it is");
      const reply = await cast.world.call(cast.member, messages.editMessage, { params, body: { body: "as it is" } });
      expect(reply.answer.data).toMatchObject({ revision: 1, edited: false });
    },
    "not even the owner writes in another's name": async (cast) => {
      const reply = await cast.world.call(cast.owner, messages.editMessage, { params: await inHome(cast), body: { body: "x" } });
      expect(reply.status).toBe(403);
    },
  },
};

export const deleteMessage: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: await inHome(cast) }),
  happy: ({ data }) => expect(data).toMatchObject({ deleted: true, body: "", attachments: [], reactions: [], mentions: [], revision: 2 }),
  bad: BAD_PARAMS,
  foreign: [...elsewhere(), ["a message of somebody else", async (cast) => ({ params: await inHome(cast, cast.owner) }), 403]],
  edge: {
    "an admin deletes any; twice is once": async (cast) => {
      const params = await inHome(cast);
      const first = await cast.world.call(cast.admin, messages.deleteMessage, { params });
      const second = await cast.world.call(cast.member, messages.deleteMessage, { params });
      expect(second.answer.data).toEqual(first.answer.data);
    },
  },
};

export const restoreMessage: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: await removed(cast) }),
  happy: ({ data }) => expect(data).toMatchObject({ deleted: false, body: "ladder", revision: 3 }),
  bad: BAD_PARAMS,
  foreign: [
    ...elsewhere(),
    ["a message of somebody else", async (cast) => ({ params: await removed(cast, cast.owner) }), 403],
    [
      "one's own that an admin deleted",
      async (cast) => {
        const params = await inHome(cast);
        await cast.world.call(cast.admin, messages.deleteMessage, { params });
        return { params };
      },
      403,
    ],
  ],
  edge: {
    "one that stands is answered as it is": async (cast) => {
      const reply = await cast.world.call(cast.member, messages.restoreMessage, { params: await inHome(cast) });
      expect(reply.answer.data).toMatchObject({ deleted: false, revision: 1 });
    },
    "after ten minutes it is a conflict": async (cast) => {
      const params = await removed(cast);
      cast.world.clock.pass(600_000);
      const back = await cast.world.call(cast.member, messages.restoreMessage, { params });
      expect(back.status).toBe(200);
      await cast.world.call(cast.member, messages.deleteMessage, { params });
      cast.world.clock.pass(600_001);
      expect((await cast.world.call(cast.member, messages.restoreMessage, { params })).status).toBe(409);
    },
  },
};

export const addReaction: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({ params: { ...(await inHome(cast)), emoji: EMOJI } }),
  happy: ({ data, cast }) => expect(data).toMatchObject({ reactions: [{ emoji: EMOJI, account_ids: [cast.guest.id] }], revision: 2, edited: false }),
  bad: { ...BAD_PARAMS, "params.emoji": BAD_EMOJI },
  foreign: [
    ...elsewhere({ params: { emoji: EMOJI } }),
    ["a message that was deleted", async (cast) => ({ params: { ...(await removed(cast)), emoji: EMOJI } }), 409],
  ],
  edge: {
    "again changes nothing; others add to it; joined ones are one": async (cast) => {
      const place = await inHome(cast);
      const react = (by: Caller, emoji: string) => cast.world.call(by, messages.addReaction, { params: { ...place, emoji } });
      await react(cast.guest, EMOJI);
      expect((await react(cast.guest, EMOJI)).answer.data.revision).toBe(2);
      await react(cast.member, "👩🏿‍❤️‍💋‍👨🏻");
      expect((await react(cast.owner, EMOJI)).answer.data).toMatchObject({
        reactions: [
          { emoji: EMOJI, account_ids: [cast.owner.id, cast.guest.id].sort((a, b) => a - b) },
          { emoji: "👩🏿‍❤️‍💋‍👨🏻", account_ids: [cast.member.id] },
        ],
        revision: 4,
      });
    },
  },
};

export const removeReaction: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const params = { ...(await inHome(cast)), emoji: EMOJI };
    await cast.world.call(cast.guest, messages.addReaction, { params });
    return { params };
  },
  happy: ({ data }) => expect(data).toMatchObject({ reactions: [], revision: 3 }),
  bad: { ...BAD_PARAMS, "params.emoji": BAD_EMOJI },
  foreign: elsewhere({ params: { emoji: EMOJI } }),
  edge: {
    "takes back one's own only": async (cast) => {
      const params = { ...(await inHome(cast)), emoji: EMOJI };
      await cast.world.call(cast.member, messages.addReaction, { params });
      const reply = await cast.world.call(cast.guest, messages.removeReaction, { params });
      expect(reply.answer.data).toMatchObject({ reactions: [{ emoji: EMOJI, account_ids: [cast.member.id] }], revision: 2 });
    },
  },
};

const BAD_MOMENT = ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "0"];
export const firstMessage: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ params: { project_id: home.project }, query: { since: "2000-01-01T00:00:00Z" } }),
  happy: ({ data, cast }) => expect(data).toMatchObject({ id: cast.home.message, body: "Welcome to home" }),
  bad: { "params.project_id": BAD_ID_IN_PATH, "query.since": BAD_MOMENT },
  foreign: placeElsewhere({ query: { since: "2000-01-01T00:00:00Z" } }),
  edge: {
    "the message of that very moment, not a deleted one; after the last there is none": async (cast) => {
      const { world, member, home } = cast;
      world.clock.pass(60_000);
      const since = new Date(world.clock.now()).toISOString();
      const first = (by: string) => world.call(member, messages.firstMessage, { params: { project_id: home.project }, query: { since: by } });
      await removed(cast);
      const id = await writeMessage(world, member, home.project, "first of the day");
      expect((await first(since)).answer.data.id).toBe(id);
      expect((await first(since.replace("Z", "+00:00"))).answer.data.id).toBe(id);
      expect((await first(new Date(world.clock.now() + 1).toISOString())).status).toBe(404);
    },
  },
};

export const listReaders: Case = {
  as: ({ member }) => member,
  good: async ({ world, guest, home }) => {
    await world.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: home.message } });
    return { params: { project_id: home.project } };
  },
  happy: ({ data, cast }) => {
    const accounts = (data as { account_id: number }[]).map(({ account_id }) => account_id);
    expect(accounts).toContain(cast.guest.id);
    expect(accounts).not.toContain(cast.member.id);
  },
  bad: { "params.project_id": BAD_ID_IN_PATH },
  foreign: placeElsewhere(),
  edge: {
    "who was taken out of the project is not among them, and comes back where the chat stands then": async ({
      world,
      owner,
      next,
      neighbour,
      guestNextDoor,
    }) => {
      await world.call(neighbour, chat.moveReadMarker, { params: { project_id: next.project }, body: { message_id: next.message } });
      const seen = async () => (await world.call(guestNextDoor, messages.listReaders, { params: { project_id: next.project } })).answer.data;
      expect((await seen()).find(({ account_id }) => account_id === neighbour.id)).toMatchObject({ last_read_message_id: expect.any(Number) });
      await world.call(owner, removeProjectMember, { params: { project_id: next.project, account_id: neighbour.id } });
      expect((await seen()).map(({ account_id }) => account_id)).not.toContain(neighbour.id);
      const newest = await writeMessage(world, owner, next.project, "while they were away");
      await world.call(owner, addProjectMember, { params: { project_id: next.project }, body: { account_id: neighbour.id } });
      expect((await seen()).find(({ account_id }) => account_id === neighbour.id)).toMatchObject({ last_read_message_id: newest });
    },
  },
};

export const markUnread: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const { world, guest, home } = cast;
    const { message_id } = await inHome(cast);
    await world.call(guest, chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id } });
    return { params: { project_id: home.project }, body: { message_id } };
  },
  happy: ({ data, cast }) => expect(data).toMatchObject({ project_id: cast.home.project, unread_count: 1, mention_count: 0 }),
  bad: { "params.project_id": BAD_ID_IN_PATH, "body.message_id": [...BAD_ID, 999_999] },
  foreign: [
    ["a project of the same team", ({ next }) => ({ params: { project_id: next.project }, body: { message_id: next.message } }), 404],
    ["a project of another organisation", ({ foreign }) => ({ params: { project_id: foreign.project }, body: { message_id: foreign.message } }), 404],
    ["a message of another project", ({ home, next }) => ({ params: { project_id: home.project }, body: { message_id: next.message } }), 400],
  ],
  edge: {
    "of the very first message: nothing is read": async ({ world, neighbour, next }) => {
      const reply = await world.call(neighbour, messages.markUnread, { params: { project_id: next.project }, body: { message_id: next.message } });
      expect(reply.answer.data.last_read_message_id).toBe(0);
      expect(reply.answer.data.unread_count).toBeGreaterThan(0);
    },
    "of one that is unread already: nothing changes": async (cast) => {
      const { world, guestNextDoor, owner, next } = cast;
      const at = { params: { project_id: next.project } };
      await world.call(guestNextDoor, messages.markUnread, { ...at, body: { message_id: next.message } });
      const later = await writeMessage(world, owner, next.project, "later");
      const reply = await world.call(guestNextDoor, messages.markUnread, { ...at, body: { message_id: later } });
      expect(reply.answer.data.last_read_message_id).toBe(0);
    },
  },
};

export const searchMessages: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ params: { project_id: home.project }, query: { q: "Home WELCO" } }),
  happy: ({ answer, cast }) => expect(answer).toMatchObject({ object: "list", data: [{ id: cast.home.message, body: "Welcome to home" }], next_cursor: null }),
  bad: {
    "params.project_id": BAD_ID_IN_PATH,
    "query.q": ["", "  ", "x".repeat(201), "two\nlines", "nul\0"],
    "query.account_id": BAD_ID_IN_PATH,
    "query.since": BAD_MOMENT,
    "query.until": BAD_MOMENT,
    "query.has": ["", "links", "file,link"],
    "query.cursor": ["nonsense", "x".repeat(201)],
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  foreign: [...placeElsewhere({ query: { q: "welcome" } }), ["no criterion at all", ({ home }) => ({ params: { project_id: home.project } }), 400]],
  edge: {
    "every word must occur, the last may be a beginning; a deleted or edited message is found as it stands": async (cast) => {
      const { world, member, home } = cast;
      const find = async (q: string) =>
        (await world.call(member, messages.searchMessages, { params: { project_id: home.project }, query: { q } })).answer.data.map(({ id }) => id);
      expect(await find("welcome hom")).toEqual([home.message]);
      const params = await inHome(cast, member, "Kontrabaß zögernd");
      expect(await find("zogern")).toEqual([params.message_id]);
      await world.call(member, messages.editMessage, { params, body: { body: "Klavier forsch" } });
      expect([await find("zogern"), await find("klavier")]).toEqual([[], [params.message_id]]);
      await world.call(member, messages.deleteMessage, { params });
      expect(await find("klavier")).toEqual([]);
      await world.call(member, messages.restoreMessage, { params });
      expect(await find("klavier")).toEqual([params.message_id]);
    },
  },
};
