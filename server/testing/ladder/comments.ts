import { expect } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import type { Cast } from "../cast.ts";
import type { Caller } from "../client.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, orNull, type Case } from "./case.ts";
import { fresh, notTheirsInPath } from "./files.ts";

/** A comment on `home`'s file, which lasts 2.5 seconds. */
async function said(cast: Cast, by: Caller = cast.member, more: object = {}, file = cast.home.file): Promise<number> {
  const reply = await cast.world.call(by, comments.writeComment, { params: { file_id: file }, body: { body: "ladder", position_ms: 1_000, ...more } });
  return reply.answer.data.id;
}
const removed = async (cast: Cast, by: Caller = cast.member): Promise<number> => {
  const comment_id = await said(cast, by);
  await cast.world.call(by, comments.deleteComment, { params: { comment_id } });
  return comment_id;
};
const inPath = async (id: Promise<number>) => ({ params: { comment_id: await id } });
const withBody = async (id: Promise<number>, body?: object) => ({ params: { comment_id: await id }, body });
const NOT_THEIR_COMMENT = (body?: object): Case["foreign"] => [
  ["a comment of the same team", (cast) => withBody(said(cast, cast.neighbour, {}, cast.next.file), body), 404],
  ["a comment of another organisation", (cast) => withBody(said(cast, cast.foreignOwner, {}, cast.foreign.file), body), 404],
  ["a comment that does not exist", () => ({ params: { comment_id: 999_999 }, body }), 404],
  [
    "a comment on a deleted file",
    async (cast) => {
      const file = await fresh(cast, "gone.wav");
      const comment_id = await said(cast, cast.member, {}, file);
      await cast.world.call(cast.member, files.deleteFile, { body: { file_id: file } });
      return { params: { comment_id }, body };
    },
    404,
  ],
];
const BAD_COMMENT = { "params.comment_id": BAD_ID_IN_PATH };
const BAD_POSITION = [-1, 1.5, "1", true, {}, 1e20, 604_800_001, 2_501];
const BAD_CLIENT_ID = [5, "", "short", "x".repeat(65), "with space", "ünicode-id", null];

export const listComments: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await fresh(cast);
    await said(cast, cast.member, {}, file_id);
    return { params: { file_id } };
  },
  happy: ({ answer, cast }) =>
    expect(answer).toMatchObject({
      data: [{ object: "comment", body: "ladder", position_ms: 1_000, account: { id: cast.member.id, username: "member" } }],
      has_more: false,
      last_read_comment_id: expect.any(Number),
      seq: expect.any(Number),
    }),
  bad: { "params.file_id": BAD_ID_IN_PATH, "query.after_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY },
  foreign: notTheirsInPath(),
  edge: {
    "in pages, on all versions; a deleted one stays where living replies belong to it": async (cast) => {
      const { world, member, guest } = cast;
      const file_id = await fresh(cast);
      const first = await said(cast, member, {}, file_id);
      const reply = await said(cast, guest, { position_ms: undefined, parent_comment_id: first }, file_id);
      const second = await said(cast, guest, { position_ms: undefined }, file_id);
      const page = async (query: object) =>
        (await world.wild(guest, comments.listComments, { params: { file_id }, query: { ...query } })).answer as { data: { id: number }[]; has_more: boolean };
      const ids = async (query: object) => (await page(query)).data.map(({ id }) => id);
      expect([await ids({ limit: 2 }), (await page({ limit: 2 })).has_more, await ids({ after_id: reply })]).toEqual([[first, reply], true, [second]]);
      await world.call(member, comments.deleteComment, { params: { comment_id: first } });
      expect((await page({})).data[0]).toMatchObject({ id: first, deleted: true, body: "" });
      await world.call(guest, comments.deleteComment, { params: { comment_id: reply } });
      expect(await ids({})).toEqual([second]);
    },
  },
};

export const writeComment: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ params: { file_id: home.file }, body: { body: "bass is hot", position_ms: 0, end_ms: 2_500 } }),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({
      object: "comment",
      file_id: cast.home.file,
      project_id: cast.home.project,
      version: 1,
      position_ms: 0,
      end_ms: 2_500,
      parent_comment_id: null,
      account: { id: cast.guest.id, username: "guest" },
      body: "bass is hot",
      revision: 1,
      deleted: false,
      edited_at: null,
      resolved_at: null,
      message_id: null,
    }),
  bad: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.body": [...badText(10_000), "", " \n "],
    "body.version": [...BAD_ID, 2, 2 ** 40],
    "body.position_ms": [...BAD_POSITION, 2_500, null],
    "body.end_ms": [...BAD_POSITION, 0],
    "body.parent_comment_id": orNull([...BAD_ID, 999_999]),
    "body.client_id": BAD_CLIENT_ID,
  },
  foreign: [
    ...notTheirsInPath().map(
      ([what, given, status]) => [what, async (cast: Cast) => ({ ...(await given(cast)), body: { body: "not theirs" } }), status] as const,
    ),
    ["a folder", ({ home }) => ({ params: { file_id: home.folder }, body: { body: "about a folder" } }), 400],
    [
      "a reply to a comment on another file",
      async (cast) => {
        const other = await said(cast, cast.member, {}, await fresh(cast));
        return { params: { file_id: cast.home.file }, body: { body: "across", parent_comment_id: other } };
      },
      400,
    ],
    [
      "a reply to a reply",
      async (cast) => {
        const reply = await said(cast, cast.member, { position_ms: undefined, parent_comment_id: await said(cast) });
        return { params: { file_id: cast.home.file }, body: { body: "deeper", parent_comment_id: reply } };
      },
      400,
    ],
    [
      "a reply to a deleted comment",
      async (cast) => ({ params: { file_id: cast.home.file }, body: { body: "late", parent_comment_id: await removed(cast) } }),
      409,
    ],
    [
      "a reply with a position of its own",
      async (cast) => ({ params: { file_id: cast.home.file }, body: { body: "at", position_ms: 1, parent_comment_id: await said(cast) } }),
      400,
    ],
  ],
  edge: {
    "where the length is not known yet, any position is taken": async (cast) => {
      const reply = await cast.world.call(cast.guest, comments.writeComment, {
        params: { file_id: await fresh(cast) },
        body: { body: "early", position_ms: 3_600_000 },
      });
      expect(reply.answer.data.position_ms).toBe(3_600_000);
    },
    "the same client_id: the first comment; with another text: a conflict": async (cast) => {
      const ask = (body: string) =>
        cast.world.call(cast.guest, comments.writeComment, { params: { file_id: cast.home.file }, body: { body, client_id: "ladder-client-id" } });
      const first = (await ask("once")).answer.data;
      expect([first.client_id, (await ask("once")).answer.data]).toEqual(["ladder-client-id", first]);
      expect((await ask("other")).status).toBe(409);
    },
  },
};

export const updateComment: Case = {
  as: ({ member }) => member,
  good: (cast) => withBody(said(cast), { body: "better" }),
  happy: ({ data, cast }) => expect(data).toMatchObject({ body: "better", revision: 2, edited_at: new Date(cast.world.clock.now()).toISOString() }),
  bad: { ...BAD_COMMENT, "body.body": [...badText(10_000), "", " \n "], "body.resolved": BAD_BOOLEAN },
  foreign: [
    ...NOT_THEIR_COMMENT({ body: "mine" }),
    ["a comment of somebody else", (cast) => withBody(said(cast, cast.owner), { body: "mine" }), 403],
    ["somebody else's, resolved and changed at once", (cast) => withBody(said(cast, cast.owner), { resolved: true, body: "mine" }), 403],
    ["one that was deleted", (cast) => withBody(removed(cast), { body: "late" }), 409],
    [
      "a reply cannot be resolved",
      (cast) =>
        withBody(
          said(cast).then((parent_comment_id) => said(cast, cast.member, { position_ms: undefined, parent_comment_id })),
          { resolved: true },
        ),
      400,
    ],
  ],
  edge: {
    "who sees it resolves it and opens it again; a guest only their own": async (cast) => {
      const { world, owner, member, guest } = cast;
      const id = await said(cast, owner);
      const set = (by: Caller, comment_id: number, resolved: boolean) => world.call(by, comments.updateComment, { params: { comment_id }, body: { resolved } });
      expect((await set(guest, id, true)).status).toBe(403);
      expect((await set(member, id, true)).answer.data).toMatchObject({ resolved_by_account_id: member.id, revision: 2, edited_at: null });
      expect((await set(owner, id, true)).answer.data).toMatchObject({ resolved_by_account_id: member.id, revision: 2 });
      expect((await set(owner, id, false)).answer.data).toMatchObject({ resolved_at: null, resolved_by_account_id: null, revision: 3 });
      expect((await set(guest, await said(cast, guest), true)).answer.data.resolved_by_account_id).toBe(guest.id);
    },
    "the same text, and nothing at all, change nothing": async (cast) => {
      const id = await said(cast);
      for (const body of [{ body: "ladder" }, {}]) {
        const reply = await cast.world.call(cast.member, comments.updateComment, { params: { comment_id: id }, body });
        expect(reply.answer.data).toMatchObject({ revision: 1, edited_at: null });
      }
    },
  },
};

export const deleteComment: Case = {
  as: ({ member }) => member,
  good: (cast) => inPath(said(cast)),
  happy: ({ data }) => expect(data).toMatchObject({ deleted: true, body: "", revision: 2, position_ms: 1_000 }),
  bad: BAD_COMMENT,
  foreign: [...NOT_THEIR_COMMENT(), ["a comment of somebody else", (cast) => inPath(said(cast, cast.owner)), 403]],
  edge: {
    "an admin deletes any; twice is once": async (cast) => {
      const given = await inPath(said(cast));
      const first = await cast.world.call(cast.admin, comments.deleteComment, given);
      expect((await cast.world.call(cast.member, comments.deleteComment, given)).answer.data).toEqual(first.answer.data);
    },
  },
};

export const restoreComment: Case = {
  as: ({ member }) => member,
  good: (cast) => inPath(removed(cast)),
  happy: ({ data }) => expect(data).toMatchObject({ deleted: false, body: "ladder", revision: 3 }),
  bad: BAD_COMMENT,
  foreign: [
    ...NOT_THEIR_COMMENT(),
    ["a comment of somebody else", (cast) => inPath(removed(cast, cast.owner)), 403],
    [
      "one's own that an admin deleted",
      async (cast) => {
        const given = await inPath(said(cast));
        await cast.world.call(cast.admin, comments.deleteComment, given);
        return given;
      },
      403,
    ],
  ],
  edge: {
    "one that stands is answered as it is; after ten minutes it is a conflict": async (cast) => {
      const restore = (given: object) => cast.world.wild(cast.member, comments.restoreComment, given);
      expect(((await restore(await inPath(said(cast)))).answer as { data: Comment }).data.revision).toBe(1);
      const given = await inPath(removed(cast));
      cast.world.clock.pass(600_001);
      expect((await restore(given)).status).toBe(409);
    },
  },
};

export const markCommentsRead: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await fresh(cast);
    return { params: { file_id }, body: { last_comment_id: await said(cast, cast.member, {}, file_id) } };
  },
  happy: ({ data, given }) =>
    expect(data).toMatchObject({ last_read_comment_id: (given.body as { last_comment_id: number }).last_comment_id, has_unread_comments: false }),
  bad: { "params.file_id": BAD_ID_IN_PATH, "body.last_comment_id": BAD_ID },
  foreign: notTheirsInPath().map(([what, given, status]) => [what, async (cast) => ({ ...(await given(cast)), body: { last_comment_id: 1 } }), status]),
  edge: {
    "never back, and never past the newest": async (cast) => {
      const { world, guest, member } = cast;
      const file_id = await fresh(cast);
      const [first, second] = [await said(cast, member, {}, file_id), await said(cast, member, {}, file_id)];
      const mark = async (last_comment_id: number) =>
        (await world.call(guest, comments.markCommentsRead, { params: { file_id }, body: { last_comment_id } })).answer.data;
      expect(await mark(first)).toMatchObject({ last_read_comment_id: first, has_unread_comments: true });
      expect(await mark(999_999)).toMatchObject({ last_read_comment_id: second, has_unread_comments: false });
      expect(await mark(first)).toMatchObject({ last_read_comment_id: second });
      const third = await said(cast, member, {}, file_id);
      expect(await mark(third)).toMatchObject({ last_read_comment_id: third });
    },
  },
};

export const showComment: Case = {
  as: ({ guest }) => guest,
  good: (cast) => inPath(said(cast)),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({
      chat_id: cast.home.project,
      account_id: cast.guest.id,
      body: "mix.wav 0:01",
      type: "message",
      comment: { file_id: cast.home.file, file_name: "mix.wav", version: 1, position_ms: 1_000, end_ms: null, account_id: cast.member.id, excerpt: "ladder" },
    }),
  bad: BAD_COMMENT,
  foreign: [...NOT_THEIR_COMMENT(), ["one that was deleted", (cast) => inPath(removed(cast)), 409]],
  edge: {
    "shown once, however often it is asked; again when that message is gone": async (cast) => {
      const { world, guest, member, home } = cast;
      const given = await inPath(said(cast));
      const show = async (by: Caller) => (await world.call(by, comments.showComment, given)).answer.data;
      const { id: message_id } = await show(guest);
      expect((await show(member)).id).toBe(message_id);
      await world.call(guest, messages.deleteMessage, { params: { project_id: home.project, message_id } });
      expect((await show(member)).id).toBeGreaterThan(message_id);
    },
  },
};
