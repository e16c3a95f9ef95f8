import { expect } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import type { Caller } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, withoutNull, type EndpointCase } from "./case.ts";
import { createFile, inaccessibleFilesInPath } from "./helpers.ts";

/** Creates a comment, by default on the file of `home`, which lasts 2.5 seconds. */
async function createComment(fixtures: Fixtures, caller: Caller = fixtures.member, overrides: object = {}, file = fixtures.home.file): Promise<number> {
  const reply = await fixtures.testApp.call(caller, comments.writeComment, {
    params: { file_id: file },
    body: { body: "endpoint case", position_ms: 1_000, ...overrides },
  });
  return reply.response.data.id;
}
const createDeletedComment = async (fixtures: Fixtures, caller: Caller = fixtures.member): Promise<number> => {
  const comment_id = await createComment(fixtures, caller);
  await fixtures.testApp.call(caller, comments.deleteComment, { params: { comment_id } });
  return comment_id;
};
const inPath = async (id: Promise<number>) => ({ params: { comment_id: await id } });
const withBody = async (id: Promise<number>, body?: object) => ({ params: { comment_id: await id }, body });
const inaccessibleComments = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a comment in another project of the same team", (fixtures) => withBody(createComment(fixtures, fixtures.neighbor, {}, fixtures.next.file), body), 404],
  ["a comment of another organization", (fixtures) => withBody(createComment(fixtures, fixtures.foreignOwner, {}, fixtures.foreign.file), body), 404],
  ["a comment that does not exist", () => ({ params: { comment_id: 999_999 }, body }), 404],
  [
    "a comment on a deleted file",
    async (fixtures) => {
      const file = await createFile(fixtures, "gone.wav");
      const comment_id = await createComment(fixtures, fixtures.member, {}, file);
      await fixtures.testApp.call(fixtures.member, files.deleteFile, { body: { file_id: file } });
      return { params: { comment_id }, body };
    },
    404,
  ],
];
const BAD_COMMENT = { "params.comment_id": BAD_ID_IN_PATH };
const BAD_POSITION = [-1, 1.5, "1", true, {}, 1e20, 604_800_001, 2_501];
const BAD_CLIENT_ID = [5, "", "short", "x".repeat(65), "with space", "ünicode-id", null];

export const listComments: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    await createComment(fixtures, fixtures.member, {}, file_id);
    return { params: { file_id } };
  },
  assertResponse: ({ response, fixtures }) =>
    expect(response).toMatchObject({
      data: [{ object: "comment", body: "endpoint case", position_ms: 1_000, account: { id: fixtures.member.id, username: "member" } }],
      has_more: false,
      last_read_comment_id: expect.any(Number),
      seq: expect.any(Number),
    }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.after_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {
    "pages through comments, and keeps a deleted one while it has replies": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const file_id = await createFile(fixtures);
      const first = await createComment(fixtures, member, {}, file_id);
      const reply = await createComment(fixtures, guest, { position_ms: undefined, parent_comment_id: first }, file_id);
      const second = await createComment(fixtures, guest, { position_ms: undefined }, file_id);
      const page = async (query: object) =>
        (await testApp.callUntyped(guest, comments.listComments, { params: { file_id }, query: { ...query } })).response as {
          data: { id: number }[];
          has_more: boolean;
        };
      const ids = async (query: object) => (await page(query)).data.map(({ id }) => id);
      expect([await ids({ limit: 2 }), (await page({ limit: 2 })).has_more, await ids({ after_id: reply })]).toEqual([[first, reply], true, [second]]);
      await testApp.call(member, comments.deleteComment, { params: { comment_id: first } });
      expect((await page({})).data[0]).toMatchObject({ id: first, deleted: true, body: "" });
      await testApp.call(guest, comments.deleteComment, { params: { comment_id: reply } });
      expect(await ids({})).toEqual([second]);
    },
  },
};

export const writeComment: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file }, body: { body: "bass is hot", position_ms: 0, end_ms: 2_500 } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({
      object: "comment",
      file_id: fixtures.home.file,
      project_id: fixtures.home.project,
      version: 1,
      position_ms: 0,
      end_ms: 2_500,
      parent_comment_id: null,
      account: { id: fixtures.guest.id, username: "guest" },
      body: "bass is hot",
      revision: 1,
      deleted: false,
      edited_at: null,
      resolved_at: null,
      message_id: null,
      mentions: [],
      attachments: [],
    }),
  invalid: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.body": [...badText(10_000), "", " \n "],
    "body.version": [...BAD_ID, 2, 2 ** 40],
    "body.position_ms": [...BAD_POSITION, 2_500, null],
    "body.end_ms": [...BAD_POSITION, 0],
    "body.parent_comment_id": withoutNull([...BAD_ID, 999_999]),
    "body.client_id": BAD_CLIENT_ID,
    "body.attachment_ids": [5, null, ["1"], [0], [1], Array.from({ length: 21 }, (_, index) => index + 1)],
  },
  rejectedRequests: [
    ...inaccessibleFilesInPath().map(
      ([label, input, status]) => [label, async (fixtures: Fixtures) => ({ ...(await input(fixtures)), body: { body: "not theirs" } }), status] as const,
    ),
    ["a comment on a folder", ({ home }) => ({ params: { file_id: home.folder }, body: { body: "about a folder" } }), 400],
    [
      "a reply to a comment on another file",
      async (fixtures) => {
        const other = await createComment(fixtures, fixtures.member, {}, await createFile(fixtures));
        return { params: { file_id: fixtures.home.file }, body: { body: "across", parent_comment_id: other } };
      },
      400,
    ],
    [
      "a reply to a reply",
      async (fixtures) => {
        const reply = await createComment(fixtures, fixtures.member, { position_ms: undefined, parent_comment_id: await createComment(fixtures) });
        return { params: { file_id: fixtures.home.file }, body: { body: "deeper", parent_comment_id: reply } };
      },
      400,
    ],
    [
      "a reply to a deleted comment",
      async (fixtures) => ({ params: { file_id: fixtures.home.file }, body: { body: "late", parent_comment_id: await createDeletedComment(fixtures) } }),
      409,
    ],
    [
      "a reply with its own position",
      async (fixtures) => ({ params: { file_id: fixtures.home.file }, body: { body: "at", position_ms: 1, parent_comment_id: await createComment(fixtures) } }),
      400,
    ],
  ],
  edgeCases: {
    "accepts any position while the duration is unknown": async (fixtures) => {
      const reply = await fixtures.testApp.call(fixtures.guest, comments.writeComment, {
        params: { file_id: await createFile(fixtures) },
        body: { body: "early", position_ms: 3_600_000 },
      });
      expect(reply.response.data.position_ms).toBe(3_600_000);
    },
    "a known client_id returns the first comment, and a conflict for another text": async (fixtures) => {
      const send = (body: string) =>
        fixtures.testApp.call(fixtures.guest, comments.writeComment, {
          params: { file_id: fixtures.home.file },
          body: { body, client_id: "comment-client-id" },
        });
      const first = (await send("once")).response.data;
      expect([first.client_id, (await send("once")).response.data]).toEqual(["comment-client-id", first]);
      expect((await send("other")).status).toBe(409);
    },
  },
};

export const updateComment: EndpointCase = {
  caller: ({ member }) => member,
  valid: (fixtures) => withBody(createComment(fixtures), { body: "better" }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({ body: "better", revision: 2, edited_at: new Date(fixtures.testApp.clock.now()).toISOString() }),
  invalid: { ...BAD_COMMENT, "body.body": [...badText(10_000), "", " \n "], "body.resolved": BAD_BOOLEAN },
  rejectedRequests: [
    ...inaccessibleComments({ body: "mine" }),
    ["another person's comment", (fixtures) => withBody(createComment(fixtures, fixtures.owner), { body: "mine" }), 403],
    [
      "another person's comment, edited and resolved at once",
      (fixtures) => withBody(createComment(fixtures, fixtures.owner), { resolved: true, body: "mine" }),
      403,
    ],
    ["a deleted comment", (fixtures) => withBody(createDeletedComment(fixtures), { body: "late" }), 409],
    [
      "resolving a reply",
      (fixtures) =>
        withBody(
          createComment(fixtures).then((parent_comment_id) => createComment(fixtures, fixtures.member, { position_ms: undefined, parent_comment_id })),
          { resolved: true },
        ),
      400,
    ],
  ],
  edgeCases: {
    "members resolve and reopen any comment, guests only their own": async (fixtures) => {
      const { testApp, owner, member, guest } = fixtures;
      const id = await createComment(fixtures, owner);
      const setResolved = (caller: Caller, comment_id: number, resolved: boolean) =>
        testApp.call(caller, comments.updateComment, { params: { comment_id }, body: { resolved } });
      expect((await setResolved(guest, id, true)).status).toBe(403);
      expect((await setResolved(member, id, true)).response.data).toMatchObject({ resolved_by_account_id: member.id, revision: 2, edited_at: null });
      expect((await setResolved(owner, id, true)).response.data).toMatchObject({ resolved_by_account_id: member.id, revision: 2 });
      expect((await setResolved(owner, id, false)).response.data).toMatchObject({ resolved_at: null, resolved_by_account_id: null, revision: 3 });
      expect((await setResolved(guest, await createComment(fixtures, guest), true)).response.data.resolved_by_account_id).toBe(guest.id);
    },
    "the same text and an empty body change nothing": async (fixtures) => {
      const id = await createComment(fixtures);
      for (const body of [{ body: "endpoint case" }, {}]) {
        const reply = await fixtures.testApp.call(fixtures.member, comments.updateComment, { params: { comment_id: id }, body });
        expect(reply.response.data).toMatchObject({ revision: 1, edited_at: null });
      }
    },
  },
};

export const deleteComment: EndpointCase = {
  caller: ({ member }) => member,
  valid: (fixtures) => inPath(createComment(fixtures)),
  assertResponse: ({ data }) => expect(data).toMatchObject({ deleted: true, body: "", revision: 2, position_ms: 1_000 }),
  invalid: BAD_COMMENT,
  rejectedRequests: [...inaccessibleComments(), ["another person's comment", (fixtures) => inPath(createComment(fixtures, fixtures.owner)), 403]],
  edgeCases: {
    "an admin can delete any comment, and a second deletion changes nothing": async (fixtures) => {
      const input = await inPath(createComment(fixtures));
      const first = await fixtures.testApp.call(fixtures.admin, comments.deleteComment, input);
      expect((await fixtures.testApp.call(fixtures.member, comments.deleteComment, input)).response.data).toEqual(first.response.data);
    },
  },
};

export const restoreComment: EndpointCase = {
  caller: ({ member }) => member,
  valid: (fixtures) => inPath(createDeletedComment(fixtures)),
  assertResponse: ({ data }) => expect(data).toMatchObject({ deleted: false, body: "endpoint case", revision: 3 }),
  invalid: BAD_COMMENT,
  rejectedRequests: [
    ...inaccessibleComments(),
    ["another person's comment", (fixtures) => inPath(createDeletedComment(fixtures, fixtures.owner)), 403],
    [
      "the caller's own comment deleted by an admin",
      async (fixtures) => {
        const input = await inPath(createComment(fixtures));
        await fixtures.testApp.call(fixtures.admin, comments.deleteComment, input);
        return input;
      },
      403,
    ],
  ],
  edgeCases: {
    "returns a comment that is not deleted unchanged, and a conflict after ten minutes": async (fixtures) => {
      const restore = (input: object) => fixtures.testApp.callUntyped(fixtures.member, comments.restoreComment, input);
      expect(((await restore(await inPath(createComment(fixtures)))).response as { data: Comment }).data.revision).toBe(1);
      const input = await inPath(createDeletedComment(fixtures));
      fixtures.testApp.clock.advance(600_001);
      expect((await restore(input)).status).toBe(409);
    },
  },
};

export const markCommentsRead: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    return { params: { file_id }, body: { last_comment_id: await createComment(fixtures, fixtures.member, {}, file_id) } };
  },
  assertResponse: ({ data, input }) =>
    expect(data).toMatchObject({ last_read_comment_id: (input.body as { last_comment_id: number }).last_comment_id, has_unread_comments: false }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "body.last_comment_id": BAD_ID },
  rejectedRequests: inaccessibleFilesInPath().map(([label, input, status]) => [
    label,
    async (fixtures) => ({ ...(await input(fixtures)), body: { last_comment_id: 1 } }),
    status,
  ]),
  edgeCases: {
    "never moves back or past the newest comment": async (fixtures) => {
      const { testApp, guest, member } = fixtures;
      const file_id = await createFile(fixtures);
      const [first, second] = [await createComment(fixtures, member, {}, file_id), await createComment(fixtures, member, {}, file_id)];
      const mark = async (last_comment_id: number) =>
        (await testApp.call(guest, comments.markCommentsRead, { params: { file_id }, body: { last_comment_id } })).response.data;
      expect(await mark(first)).toMatchObject({ last_read_comment_id: first, has_unread_comments: true });
      expect(await mark(999_999)).toMatchObject({ last_read_comment_id: second, has_unread_comments: false });
      expect(await mark(first)).toMatchObject({ last_read_comment_id: second });
      const third = await createComment(fixtures, member, {}, file_id);
      expect(await mark(third)).toMatchObject({ last_read_comment_id: third });
    },
  },
};

export const showComment: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: (fixtures) => inPath(createComment(fixtures)),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({
      chat_id: fixtures.home.project,
      account_id: fixtures.guest.id,
      body: "mix.wav 0:01",
      type: "message",
      comment: {
        file_id: fixtures.home.file,
        file_name: "mix.wav",
        version: 1,
        position_ms: 1_000,
        end_ms: null,
        account_id: fixtures.member.id,
        excerpt: "endpoint case",
      },
    }),
  invalid: BAD_COMMENT,
  rejectedRequests: [...inaccessibleComments(), ["a deleted comment", (fixtures) => inPath(createDeletedComment(fixtures)), 409]],
  edgeCases: {
    "shares a comment once, and again after that message was deleted": async (fixtures) => {
      const { testApp, guest, member, home } = fixtures;
      const input = await inPath(createComment(fixtures));
      const show = async (caller: Caller) => (await testApp.call(caller, comments.showComment, input)).response.data;
      const { id: message_id } = await show(guest);
      expect((await show(member)).id).toBe(message_id);
      await testApp.call(guest, messages.deleteMessage, { params: { project_id: home.project, message_id } });
      expect((await show(member)).id).toBeGreaterThan(message_id);
    },
  },
};
