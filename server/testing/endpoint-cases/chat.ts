import { expect } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import { createMessage } from "../fixtures.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, badText, withoutNull, type EndpointCase } from "./case.ts";

let counter = 0;
const newClientId = (): string => `endpoint-case-${String(++counter).padStart(4, "0")}`;

export const chatHistory: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { project_id: home.project } }),
  assertResponse: ({ response, fixtures }) => {
    expect(response).toMatchObject({ object: "list", has_more_after: false });
    expect(response.data[0]).toMatchObject({
      id: fixtures.home.message,
      chat_id: fixtures.home.project,
      account_id: fixtures.owner.id,
      body: "Welcome to home",
      type: "message",
      attachments: [],
    });
  },
  invalid: {
    "body.project_id": BAD_ID,
    "body.limit": [0, -1, "ten", 1.5, {}],
    "body.before_id": BAD_ID,
    "body.after_id": [-1, "0", 1.5, null],
    "body.around_id": BAD_ID,
    "body.include_deleted": BAD_BOOLEAN.filter((value) => value !== null),
  },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ body: { project_id: next.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ body: { project_id: foreign.project } }), 404],
    ["a project that does not exist", () => ({ body: { project_id: 999_999 } }), 404],
  ],
  edgeCases: {
    "null stands for the default of limit and include_deleted": async ({ testApp, member, home }) => {
      const load = async (body: object) => (await testApp.callUntyped(member, chat.chatHistory, { body: { project_id: home.project, ...body } })).response;
      expect(await load({ limit: null, include_deleted: null })).toEqual(await load({}));
    },
    "clamps a limit of 10^9": async ({ testApp, member, home }) => {
      expect((await testApp.call(member, chat.chatHistory, { body: { project_id: home.project, limit: 1_000_000_000 } })).status).toBe(200);
    },
    "rejects two cursors": async ({ testApp, member, home }) => {
      expect((await testApp.call(member, chat.chatHistory, { body: { project_id: home.project, after_id: 1, before_id: 9 } })).status).toBe(400);
    },
    "a message of another project is only a position and is not returned": async ({ testApp, member, home, foreign }) => {
      const reply = await testApp.call(member, chat.chatHistory, { body: { project_id: home.project, around_id: foreign.message } });
      expect(reply.response.data.every(({ chat_id }) => chat_id === home.project)).toBe(true);
    },
  },
};

export const sendMessage: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { project_id: home.project, body: "Bring the stems", parent_message_id: home.message, client_id: newClientId() } }),
  assertResponse: ({ data, fixtures, input }) =>
    expect(data).toMatchObject({
      chat_id: fixtures.home.project,
      account_id: fixtures.guest.id,
      body: "Bring the stems",
      client_id: (input.body as { client_id: string }).client_id,
      parent_message_id: fixtures.home.message,
      parent_chat_id: fixtures.home.project,
      parent_account_id: fixtures.owner.id,
      edited: false,
      deleted: false,
      datetime: new Date(fixtures.testApp.clock.now()).toISOString(),
    }),
  invalid: {
    "body.project_id": BAD_ID,
    "body.body": [...badText(10_000), "", " \n "],
    "body.parent_message_id": withoutNull(BAD_ID),
    "body.playlist_id": withoutNull(BAD_ID),
    "body.attachment_ids": [5, null, ["1"], [0], [1], Array.from({ length: 21 }, (_, index) => index + 1)],
    "body.is_audio_message": [...BAD_BOOLEAN, true],
    "body.client_id": [5, null, "", "short", "x".repeat(65), "with space", "nul\0nul\0"],
  },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ body: { project_id: next.project, body: "x" } }), 404],
    ["a project of another organization", ({ foreign }) => ({ body: { project_id: foreign.project, body: "x" } }), 404],
    ["a reply to a message of another project", ({ home, next }) => ({ body: { project_id: home.project, body: "x", parent_message_id: next.message } }), 400],
    [
      "a reply to a message of another organization",
      ({ home, foreign }) => ({ body: { project_id: home.project, body: "x", parent_message_id: foreign.message } }),
      400,
    ],
    ["an attachment that is not a file of the project", ({ home }) => ({ body: { project_id: home.project, body: "x", attachment_ids: [1] } }), 400],
  ],
  edgeCases: {
    "accepts 10,000 emoji and rejects one more character": async ({ testApp, guest, home }) => {
      const body = "🎧".repeat(10_000);
      const reply = await testApp.call(guest, chat.sendMessage, { body: { project_id: home.project, body } });
      expect(reply.response.data.body).toBe(body);
      expect((await testApp.call(guest, chat.sendMessage, { body: { project_id: home.project, body: `${body}x` } })).status).toBe(400);
    },
    "takes attachments without a body, and the same client_id with an empty one is the same message": async ({ testApp, guest, home }) => {
      const content = { project_id: home.project, attachment_ids: [home.file], client_id: "without-a-body" };
      const send = (body: object) => testApp.callUntyped(guest, chat.sendMessage, { body: { ...content, ...body } });
      const replies = [await send({}), await send({ body: null }), await send({ body: "" })];
      const messages = replies.map(({ response }) => (response as { data: { id: number; body: string } }).data);
      expect(messages[0]!.body).toBe("");
      expect(messages.map(({ id }) => id)).toEqual(messages.map(() => messages[0]!.id));
    },
    "rejects a message without body and attachments": async ({ testApp, guest, home }) => {
      for (const body of [{}, { body: null }]) {
        const { status, problem } = await testApp.callUntyped(guest, chat.sendMessage, { body: { project_id: home.project, ...body } });
        expect([status, problem.errors?.[0]?.path]).toEqual([400, "body"]);
      }
    },
    "keeps line breaks and tabs": async ({ testApp, guest, home }) => {
      const body = "  one\r\n\ttwo  ";
      expect((await testApp.call(guest, chat.sendMessage, { body: { project_id: home.project, body } })).response.data.body).toBe(body);
    },
  },
};

export const getReadMarker: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { project_id: home.project } }),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ project_id: fixtures.home.project }),
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {
    "the caller's own messages count as read": async ({ testApp, foreignOwner, foreign }) => {
      const { data } = (await testApp.call(foreignOwner, chat.getReadMarker, { params: { project_id: foreign.project } })).response;
      expect(data).toEqual({ project_id: foreign.project, last_read_message_id: foreign.message, unread_count: 0, mention_count: 0 });
    },
  },
};

export const moveReadMarker: EndpointCase = {
  caller: ({ neighbor }) => neighbor,
  valid: ({ next }) => ({ params: { project_id: next.project }, body: { message_id: next.message } }),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ last_read_message_id: fixtures.next.message, unread_count: 0 }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "body.message_id": BAD_ID },
  rejectedRequests: [
    ["another project of the same team", ({ home }) => ({ params: { project_id: home.project }, body: { message_id: home.message } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project }, body: { message_id: foreign.message } }), 404],
  ],
  edgeCases: {
    "never moves past the newest message, so later ones count as unread": async ({ testApp, owner, guestNextDoor, next }) => {
      const newest = await createMessage(testApp, owner, next.project, "newest");
      const read = await testApp.call(guestNextDoor, chat.moveReadMarker, { params: { project_id: next.project }, body: { message_id: newest + 1_000 } });
      expect(read.response.data).toMatchObject({ last_read_message_id: newest, unread_count: 0 });
      await createMessage(testApp, owner, next.project, "later");
      expect((await testApp.call(guestNextDoor, chat.getReadMarker, { params: { project_id: next.project } })).response.data.unread_count).toBe(1);
    },
  },
};
