/** What becomes of a file: processing, status, versions. */
import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { Cast } from "../cast.ts";
import { processed, upload } from "../files.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, orNull, type Case } from "./case.ts";
import { fresh, NOT_THEIRS, notTheirsInPath } from "./files.ts";

async function idle(cast: Cast): Promise<number> {
  const id = await fresh(cast);
  await processed(cast.world, id);
  return id;
}

export const generateTags: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ body: { file_id: await idle(cast) } }),
  happy: ({ data }) => expect(data.transcoding_status).toBe("waiting"),
  bad: { "body.file_id": BAD_ID },
  foreign: [...NOT_THEIRS, ["a folder", ({ home }) => ({ body: { file_id: home.folder } }), 400]],
  edge: {
    "not again while it is under way": async (cast) => {
      const body = { file_id: await idle(cast) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await cast.world.call(cast.member, files.generateTags, { body })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    },
  },
};

export const retryProcessing: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: { file_id: await idle(cast) } }),
  happy: ({ data }) => expect(data).toMatchObject({ transcoding_status: "waiting", failure: null }),
  bad: { "params.file_id": BAD_ID_IN_PATH },
  foreign: notTheirsInPath(),
  edge: {},
};

const statusesOf = async ({ world, home }: Cast): Promise<number[]> =>
  (await world.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", home.team).orderBy("position").execute()).map(({ id }) => id);

const foreignStatus = async ({ world, foreign }: Cast): Promise<number> =>
  (await world.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", foreign.team).executeTakeFirstOrThrow()).id;

export const setFileStatus: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ body: { file_id: await fresh(cast), status_id: (await statusesOf(cast))[3], note: "Sounds\ngood" } }),
  happy: ({ data, given }) => expect(data.status).toMatchObject({ id: (given.body as { status_id: number }).status_id, title: "Approved" }),
  bad: { "body.file_id": BAD_ID, "body.status_id": [...BAD_ID, 999_999], "body.note": badText(2_000), "body.if_status_id": [...orNull(BAD_ID), 999_999] },
  foreign: [
    ...NOT_THEIRS.map(
      ([what, given, status]) =>
        [what, async (cast: Cast) => ({ body: { ...((await given(cast)).body as object), status_id: (await statusesOf(cast))[0] } }), status] as const,
    ),
    ["a status of another organisation", async (cast) => ({ body: { file_id: cast.home.file, status_id: await foreignStatus(cast) } }), 400],
    ["a folder", async (cast) => ({ body: { file_id: cast.home.folder, status_id: (await statusesOf(cast))[0] } }), 400],
  ],
  edge: {},
};

export const statusHistory: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await fresh(cast);
    await cast.world.call(cast.member, files.setFileStatus, { body: { file_id, status_id: (await statusesOf(cast))[1] ?? 0, note: "why" } });
    return { params: { file_id } };
  },
  happy: ({ answer, cast }) =>
    expect(answer).toMatchObject({
      next_cursor: null,
      data: [
        {
          old_status: null,
          new_status: { title: "In review" },
          note: "why",
          changed_by_account_id: cast.member.id,
          change_status_time: new Date(cast.world.clock.now()).toISOString(),
        },
      ],
    }),
  bad: { "params.file_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  foreign: notTheirsInPath(),
  edge: {
    "pages, newest first": async (cast) => {
      const { world, member } = cast;
      const file_id = await fresh(cast);
      const statuses = await statusesOf(cast);
      for (const status_id of [...statuses, ...statuses]) await world.call(member, files.setFileStatus, { body: { file_id, status_id } });
      const seen: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { data: { new_status: { id: number } }[]; next_cursor: string | null } = (
          await world.call(member, files.statusHistory, { params: { file_id }, query: { limit: "3", ...(cursor ? { cursor } : {}) } })
        ).answer;
        expect(page.data.length).toBeLessThanOrEqual(3);
        seen.push(...page.data.map(({ new_status }) => new_status.id));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual([...statuses, ...statuses].reverse());
    },
  },
};

export const listVersions: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await fresh(cast);
    await upload(cast.world, cast.member, { versionOf: file_id, bytes: "second" });
    return { params: { file_id } };
  },
  happy: ({ answer }) =>
    expect(answer.data.map(({ number, size }: { number: number; size: number }) => [number, size])).toEqual([
      [2, 6],
      [1, 15],
    ]),
  bad: { "params.file_id": BAD_ID_IN_PATH },
  foreign: notTheirsInPath(),
  edge: {},
};
