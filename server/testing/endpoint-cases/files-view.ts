/** Endpoint cases for the files view: listings and bulk operations. */
import { expect } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import { upload } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import {
  BAD_BOOLEAN,
  BAD_ID,
  BAD_ID_IN_PATH,
  BAD_LIMIT_IN_QUERY,
  BAD_TIMESTAMP_IN_QUERY,
  badLine,
  type EndpointCase,
  BAD_IDS_IN_QUERY,
  BAD_LINE_IN_QUERY,
} from "./case.ts";
import { createFile, createCaseFolder, inaccessibleFilesInPath } from "./helpers.ts";

const INACCESSIBLE_PROJECTS: EndpointCase["rejectedRequests"] = [
  ["another project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
  ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
];
const BAD_SEARCH_TEXT_IN_QUERY = ["", "  ", "x".repeat(201), "two\nlines", "nul\0"];
const BAD_BPM = ["", "-1", "fast", "1e3", "1234", "Infinity"];
const encodeCursor = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const BAD_CURSOR = [
  "",
  "x",
  "x".repeat(2_001),
  encodeCursor("name", 0),
  encodeCursor("size", 0, null, 1, 1),
  encodeCursor("name", 1, 0, "a", 1),
  encodeCursor("name", 0, 2, "a", 1),
  encodeCursor("name", 0, 0, "a", "1"),
  encodeCursor("name", 0, 0, 5, 1),
  encodeCursor("name", 0, 0, "\0", 1),
  encodeCursor("name", 0, 0, "a", 1e300),
  encodeCursor({}),
  Buffer.from("null").toString("base64url"),
];
const BAD_IDS = [[], [0], ["1"], [1.5], [null], "1", 5, null, {}, Array.from({ length: 501 }, (_, index) => index + 1)];
const inaccessibleFiles = (overrides: (fixtures: Fixtures) => object = () => ({})): EndpointCase["rejectedRequests"] => [
  [
    "a selection with a file in another project of the same team",
    async (fixtures) => ({ body: { file_ids: [await createFile(fixtures), fixtures.next.file], ...overrides(fixtures) } }),
    404,
  ],
  ["a file of another organization", (fixtures) => ({ body: { file_ids: [fixtures.foreign.file], ...overrides(fixtures) } }), 404],
  ["a file that does not exist", (fixtures) => ({ body: { file_ids: [999_999], ...overrides(fixtures) } }), 404],
];

let counter = 0;
const newName = (): string => `View ${++counter}`;

export const listFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: home.folder, q: "MÏX", kind: "audio,video", limit: 500 } }),
  assertResponse: ({ response, fixtures: { home, owner } }) => {
    expect(response.next_cursor).toBeNull();
    expect(response.data.find(({ id }: { id: number }) => id === home.file)).toMatchObject({
      object: "file",
      name: "mix.wav",
      kind: "audio",
      parent_id: home.folder,
      project_id: home.project,
      account_id: owner.id,
      version: 1,
      duration: 2.5,
      bpm: 120,
      key: "A minor",
      tags: [],
      transcoding_status: "transcoded",
      thumbnail_url: null,
      wave: [0.5],
    });
  },
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "query.folder_id": BAD_ID_IN_PATH,
    "query.deep": ["", "1", "yes", "TRUE"],
    "query.q": BAD_SEARCH_TEXT_IN_QUERY,
    "query.kind": ["", "sound", "audio,", "audio,sound", "Audio"],
    "query.status_id": ["", "0", "None", "1,", "1,x", "-1"],
    "query.bpm_min": BAD_BPM,
    "query.bpm_max": BAD_BPM,
    "query.key": BAD_LINE_IN_QUERY(40),
    "query.tag": BAD_LINE_IN_QUERY(100),
    "query.uploader": ["", "0", "me", "1,"],
    "query.from": BAD_TIMESTAMP_IN_QUERY,
    "query.to": BAD_TIMESTAMP_IN_QUERY,
    "query.sort": ["", "id", "Name"],
    "query.fields": ["", "0", "x", "1,", "999999"],
    "query.metadata": ["", "{}", "[]", "[{}]", '[{"field_id": 999999, "op": "empty"}]'],
    "query.sort_field_id": [...BAD_ID_IN_PATH, "999999"],
    "query.order": ["", "up", "ASC"],
    "query.cursor": BAD_CURSOR,
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  rejectedRequests: [
    ...INACCESSIBLE_PROJECTS,
    ["a folder in another project of the same team", ({ home, next }) => ({ params: { project_id: home.project }, query: { folder_id: next.folder } }), 404],
    ["a file instead of a folder", ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: home.file } }), 400],
  ],
  edgeCases: {},
};

export const listFolders: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project } }),
  assertResponse: ({ response, fixtures: { home } }) => {
    expect(response.data[0]).toMatchObject({ id: home.root, parent_id: null, kind: "folder", is_folder: true });
    expect(response.data.find(({ id }: { id: number }) => id === home.folder)).toMatchObject({ parent_id: home.root, name: "Mixes" });
    expect(response.data.every(({ kind }: { kind: string }) => kind === "folder")).toBe(true);
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.cursor": BAD_CURSOR, "query.limit": BAD_LIMIT_IN_QUERY },
  rejectedRequests: INACCESSIBLE_PROJECTS,
  edgeCases: {},
};

export const getFileFacets: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project } }),
  assertResponse: ({ data }) => {
    expect(data.bpm).toEqual({ min: 120, max: 120 });
    expect(data.keys[0]).toMatchObject({ key: "A minor" });
    expect(data.kinds.map(({ kind }: { kind: string }) => kind)).toContain("audio");
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.folder_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...INACCESSIBLE_PROJECTS,
    ["a folder in another project of the same team", ({ home, next }) => ({ params: { project_id: home.project }, query: { folder_id: next.folder } }), 404],
    ["a file instead of a folder", ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: home.file } }), 400],
  ],
  edgeCases: {},
};

export const moveFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({
    body: {
      file_ids: [await upload(fixtures.testApp, fixtures.guest, { parent: fixtures.home.folder, name: `${newName()}.wav` })],
      parent_id: fixtures.home.root,
    },
  }),
  assertResponse: ({ response, input, fixtures: { home } }) =>
    expect(response.data).toMatchObject([{ id: (input.body as { file_ids: number[] }).file_ids[0], parent_id: home.root, revision: 3 }]),
  invalid: { "body.file_ids": BAD_IDS, "body.parent_id": BAD_ID },
  rejectedRequests: [
    ...inaccessibleFiles(({ home }) => ({ parent_id: home.root })),
    ["another person's file", ({ home }) => ({ body: { file_ids: [home.file], parent_id: home.root } }), 403],
    [
      "the caller's own folder with another person's file in it",
      async (fixtures) => {
        const ownFolder = await createCaseFolder(fixtures, { caller: fixtures.guest });
        await upload(fixtures.testApp, fixtures.member, { parent: ownFolder });
        return { body: { file_ids: [ownFolder], parent_id: fixtures.home.folder } };
      },
      403,
    ],
    [
      "a move into a folder in another project of the same team",
      async ({ testApp, guest, home, next }) => ({ body: { file_ids: [await upload(testApp, guest, { parent: home.folder })], parent_id: next.root } }),
      404,
    ],
    [
      "a move into a file",
      async ({ testApp, guest, home }) => ({ body: { file_ids: [await upload(testApp, guest, { parent: home.folder })], parent_id: home.file } }),
      400,
    ],
  ],
  edgeCases: {
    "rejects a move into another project and a move of the root folder": async ({ testApp, owner, home, next }) => {
      const move = async (id: number, parent_id: number) => (await testApp.call(owner, view.moveFiles, { body: { file_ids: [id], parent_id } })).status;
      expect([await move(next.file, home.root), await move(home.root, home.folder)]).toEqual([400, 403]);
    },
  },
};

export const deleteFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest, home }) => {
    const make = () => upload(testApp, guest, { parent: home.folder });
    return { body: { file_ids: [await make(), await make()] } };
  },
  assertResponse: ({ data, input, fixtures: { testApp } }) => {
    const { file_ids } = input.body as { file_ids: number[] };
    // A minute less than 30 days, so that a restore never races with the deletion of the bytes.
    expect(data).toEqual({ file_ids, count: 2, restorable_until: new Date(testApp.clock.now() + 30 * 86_400_000 - 60_000).toISOString() });
  },
  invalid: { "body.file_ids": BAD_IDS },
  rejectedRequests: [
    ...inaccessibleFiles(),
    ["another person's file", ({ home }) => ({ body: { file_ids: [home.file] } }), 403],
    ["the root folder", ({ home }) => ({ body: { file_ids: [home.root] } }), 403],
  ],
  edgeCases: {
    "the same Idempotency-Key deletes once and returns the same result": async (fixtures) => {
      const body = { file_ids: [await createFile(fixtures)] };
      const headers = { "idempotency-key": `gone-${body.file_ids[0]}` };
      const remove = () => fixtures.testApp.call(fixtures.member, view.deleteFiles, { body }, { headers });
      expect((await remove()).response).toEqual((await remove()).response);
      expect((await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body })).status).toBe(404);
    },
    "rejects files of two projects": async ({ testApp, owner, home, next }) => {
      const body = { file_ids: [home.file, next.file] };
      expect((await testApp.call(owner, view.deleteFiles, { body })).status).toBe(400);
    },
  },
};

export const restoreFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest, home }) => {
    const id = await upload(testApp, guest, { parent: home.folder });
    await testApp.call(guest, view.deleteFiles, { body: { file_ids: [id] } });
    return { body: { file_ids: [id] } };
  },
  assertResponse: ({ response, input, fixtures: { home } }) =>
    expect(response.data).toMatchObject([{ id: (input.body as { file_ids: number[] }).file_ids[0], parent_id: home.folder }]),
  invalid: { "body.file_ids": BAD_IDS },
  rejectedRequests: [
    ...inaccessibleFiles(),
    [
      "another person's file",
      async (fixtures) => {
        const body = { file_ids: [await createFile(fixtures)] };
        await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body });
        return { body };
      },
      403,
    ],
  ],
  edgeCases: {},
};

export const updateFile: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({
    params: { file_id: await createFile(fixtures) },
    body: { name: `${newName()}.wav`, removal_protection: true, task_load_protection: true },
  }),
  assertResponse: ({ data, input }) =>
    expect(data).toMatchObject({ name: (input.body as { name: string }).name, removal_protection: true, task_load_protection: true, is_folder: false }),
  invalid: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.name": [...badLine(255), "a/b", "a\\b", ".", "..", "é".repeat(128), "../x", "MIX.wav"],
    "body.removal_protection": BAD_BOOLEAN,
    "body.task_load_protection": BAD_BOOLEAN,
  },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {
    "rejects a guest, even for their own file": async ({ testApp, guest, home }) => {
      const file_id = await upload(testApp, guest, { parent: home.folder });
      expect((await testApp.call(guest, view.updateFile, { params: { file_id }, body: { removal_protection: true } })).status).toBe(403);
    },
  },
};

export const getArchive: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ query: { ids: `${home.folder}`, name: "Mixes for Ana" } }),
  assertResponse: ({ reply }) => {
    expect(reply.text.slice(0, 4)).toBe("PK\u0003\u0004");
    expect(reply.headers).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="Mixes for Ana.zip"; filename*=UTF-8''Mixes%20for%20Ana.zip`,
    });
  },
  invalid: { "query.ids": BAD_IDS_IN_QUERY, "query.name": BAD_LINE_IN_QUERY(255) },
  rejectedRequests: [
    ["a selection with a file in another project of the same team", ({ home, next }) => ({ query: { ids: `${home.file},${next.file}` } }), 404],
    ["a folder of another organization", ({ foreign }) => ({ query: { ids: `${foreign.root}` } }), 404],
    ["a file that does not exist", () => ({ query: { ids: "999999" } }), 404],
  ],
  edgeCases: {},
};

const deleteOwn = async ({ testApp, guest, home }: Fixtures): Promise<number> => {
  const id = await upload(testApp, guest, { parent: home.folder, name: `${newName()}.wav` });
  await testApp.call(guest, view.deleteFiles, { body: { file_ids: [id] } });
  return id;
};

export const listDeletedFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    await deleteOwn(fixtures);
    return { params: { project_id: fixtures.home.project } };
  },
  assertResponse: ({ response, fixtures: { guest, home } }) =>
    expect(response.data[0]).toMatchObject({
      name: `View ${counter}.wav`,
      parent_id: home.folder,
      location: "Mixes",
      contained_count: 0,
      deleted_by_account_id: guest.id,
    }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  rejectedRequests: INACCESSIBLE_PROJECTS,
  edgeCases: {
    "a folder is one entry, and pages follow each other": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      const folder = await createCaseFolder(fixtures);
      await upload(testApp, member, { parent: folder, name: "a.wav" });
      await upload(testApp, member, { parent: folder, name: "b.wav" });
      const single = await upload(testApp, member, { parent: home.root, name: "single.wav" });
      await testApp.call(member, view.deleteFiles, { body: { file_ids: [single] } });
      await testApp.call(member, view.deleteFiles, { body: { file_ids: [folder] } });
      const params = { project_id: home.project };
      const first = (await testApp.call(member, view.listDeletedFiles, { params, query: { limit: "1" } })).response;
      const second = (await testApp.call(member, view.listDeletedFiles, { params, query: { limit: "1", cursor: first.next_cursor! } })).response;
      const found = [...first.data, ...second.data].map(({ id, contained_count }) => [id, contained_count]);
      expect(new Map(found as [number, number][])).toEqual(
        new Map([
          [folder, 2],
          [single, 0],
        ]),
      );
    },
  },
};

export const getDeletedFile: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { file_id: await deleteOwn(fixtures) } }),
  assertResponse: ({ data, input }) => expect(data).toMatchObject({ id: Number(input.params?.["file_id"]), location: "Mixes" }),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a file that is not deleted", ({ home }) => ({ params: { file_id: home.file } }), 404],
    ["a file of another organization", ({ foreign }) => ({ params: { file_id: foreign.file } }), 404],
    [
      "a file that a guest did not add",
      async (fixtures) => {
        const id = await createFile(fixtures);
        await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids: [id] } });
        return { params: { file_id: id } };
      },
      404,
    ],
  ],
  edgeCases: {},
};
