/** Endpoint cases for the processing, status and versions of a file. */
import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { upload } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badText, withoutNull, type EndpointCase } from "./case.ts";
import { createFile, createProcessedFile, inaccessibleFilesInBody, inaccessibleFilesInPath } from "./helpers.ts";

export const generateTags: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ body: { file_id: await createProcessedFile(fixtures) } }),
  assertResponse: ({ data }) => expect(data.transcoding_status).toBe("waiting"),
  invalid: { "body.file_id": BAD_ID },
  rejectedRequests: [...inaccessibleFilesInBody(), ["a folder", ({ home }) => ({ body: { file_id: home.folder } }), 400]],
  edgeCases: {
    "rejects a second request while tags are being generated": async (fixtures) => {
      const body = { file_id: await createProcessedFile(fixtures) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await fixtures.testApp.call(fixtures.member, files.generateTags, { body })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    },
  },
};

export const retryProcessing: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { file_id: await createProcessedFile(fixtures) } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ transcoding_status: "waiting", failure: null }),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {},
};

const listStatusIds = async ({ testApp, home }: Fixtures): Promise<number[]> =>
  (await testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", home.team).orderBy("position").execute()).map(({ id }) => id);

const foreignStatusId = async ({ testApp, foreign }: Fixtures): Promise<number> =>
  (await testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", foreign.team).executeTakeFirstOrThrow()).id;

export const setFileStatus: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ body: { file_id: await createFile(fixtures), status_id: (await listStatusIds(fixtures))[3], note: "Sounds\ngood" } }),
  assertResponse: ({ data, input }) => expect(data.status).toMatchObject({ id: (input.body as { status_id: number }).status_id, title: "Approved" }),
  invalid: {
    "body.file_id": BAD_ID,
    "body.status_id": [...BAD_ID, 999_999],
    "body.note": badText(2_000),
    "body.if_status_id": [...withoutNull(BAD_ID), 999_999],
  },
  rejectedRequests: [
    ...inaccessibleFilesInBody(async (fixtures) => ({ status_id: (await listStatusIds(fixtures))[0] })),
    ["a status of another organization", async (fixtures) => ({ body: { file_id: fixtures.home.file, status_id: await foreignStatusId(fixtures) } }), 400],
    ["a folder", async (fixtures) => ({ body: { file_id: fixtures.home.folder, status_id: (await listStatusIds(fixtures))[0] } }), 400],
  ],
  edgeCases: {},
};

export const listStatusChanges: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    await fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id, status_id: (await listStatusIds(fixtures))[1] ?? 0, note: "why" } });
    return { params: { file_id } };
  },
  assertResponse: ({ response, fixtures }) =>
    expect(response).toMatchObject({
      next_cursor: null,
      data: [
        {
          old_status: null,
          new_status: { title: "In review" },
          note: "why",
          changed_by_account_id: fixtures.member.id,
          change_status_time: new Date(fixtures.testApp.clock.now()).toISOString(),
        },
      ],
    }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {
    "pages through changes, newest first": async (fixtures) => {
      const { testApp, member } = fixtures;
      const file_id = await createFile(fixtures);
      const statuses = await listStatusIds(fixtures);
      for (const status_id of [...statuses, ...statuses]) await testApp.call(member, files.setFileStatus, { body: { file_id, status_id } });
      const seenIds: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { data: { new_status: { id: number } }[]; next_cursor: string | null } = (
          await testApp.call(member, files.listStatusChanges, { params: { file_id }, query: { limit: "3", ...(cursor ? { cursor } : {}) } })
        ).response;
        expect(page.data.length).toBeLessThanOrEqual(3);
        seenIds.push(...page.data.map(({ new_status }) => new_status.id));
        cursor = page.next_cursor;
      }
      expect(seenIds).toEqual([...statuses, ...statuses].reverse());
    },
  },
};

export const listVersions: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    await upload(fixtures.testApp, fixtures.member, { versionOf: file_id, bytes: "second" });
    return { params: { file_id } };
  },
  assertResponse: ({ response }) =>
    expect(response.data.map(({ number, size }: { number: number; size: number }) => [number, size])).toEqual([
      [2, 6],
      [1, 15],
    ]),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {},
};

export const restoreVersion: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    const file_id = await createFile(fixtures);
    await upload(fixtures.testApp, fixtures.member, { versionOf: file_id, bytes: "second" });
    return { params: { file_id, number: 1 } };
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ version: 3, size: 15 }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "params.number": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a version that does not exist", async (fixtures) => ({ params: { file_id: await createFile(fixtures), number: 9 } }), 404],
    ["the current version", async (fixtures) => ({ params: { file_id: await createFile(fixtures), number: 1 } }), 409],
    ["a file of another organization", ({ foreign }) => ({ params: { file_id: foreign.file, number: 1 } }), 404],
  ],
  edgeCases: {},
};
