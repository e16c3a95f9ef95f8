/** Cases of the files view: listings, and what is done with many files at once. */
import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import type { Cast } from "../cast.ts";
import type { Caller } from "../client.ts";
import { upload } from "../files.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badLine, type Case } from "./case.ts";
import { fresh, notTheirsInPath } from "./files.ts";

const NOT_THEIR_PROJECT: Case["foreign"] = [
  ["a project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
  ["a project of another organisation", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
];
const BAD_LINE_IN_QUERY = (max: number) => ["", "  ", "x".repeat(max + 1), "two\nlines", "nul\0", "turned \u202e around"];
const BAD_BPM = ["", "-1", "fast", "1e3", "1234", "Infinity"];
const BAD_MOMENT_IN_QUERY = ["", "yesterday", "2026-03-02", "2026-03-02T09:00:00"];
const encoded = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const BAD_CURSOR = [
  "",
  "x",
  "x".repeat(2_001),
  encoded("name", 0),
  encoded("size", 0, null, 1, 1),
  encoded("name", 1, 0, "a", 1),
  encoded("name", 0, 2, "a", 1),
  encoded("name", 0, 0, "a", "1"),
  encoded("name", 0, 0, 5, 1),
  encoded("name", 0, 0, "\0", 1),
  encoded("name", 0, 0, "a", 1e300),
  encoded({}),
  Buffer.from("null").toString("base64url"),
];
const BAD_IDS = [[], [0], ["1"], [1.5], [null], "1", 5, null, {}, Array.from({ length: 501 }, (_, at) => at + 1)];
const BAD_IDS_IN_QUERY = ["", "0", "1,", ",1", "1,,2", "x", "1 2", "-1", "1.5", Array.from({ length: 501 }, (_, at) => at + 1).join(",")];
const notTheirs = (more: (cast: Cast) => object = () => ({})): Case["foreign"] => [
  ["one of them of the same team", async (cast) => ({ body: { file_ids: [await fresh(cast), cast.next.file], ...more(cast) } }), 404],
  ["a file of another organisation", (cast) => ({ body: { file_ids: [cast.foreign.file], ...more(cast) } }), 404],
  ["a file that does not exist", (cast) => ({ body: { file_ids: [999_999], ...more(cast) } }), 404],
];

let drawn = 0;
const newName = (): string => `View ${++drawn}`;
const newFolder = async ({ world, home }: Cast, by: Caller, parent = home.root, more = {}): Promise<number> =>
  (await world.call(by, files.makeFolder, { body: { parent_id: parent, name: newName(), ...more } })).answer.data.id;

export const listFiles: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: home.folder, q: "MÏX", kind: "audio,video", limit: 500 } }),
  happy: ({ answer, cast: { home, owner } }) => {
    expect(answer.next_cursor).toBeNull();
    expect(answer.data.find(({ id }: { id: number }) => id === home.file)).toMatchObject({
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
  bad: {
    "params.project_id": BAD_ID_IN_PATH,
    "query.folder_id": BAD_ID_IN_PATH,
    "query.deep": ["", "1", "yes", "TRUE"],
    "query.q": BAD_LINE_IN_QUERY(200),
    "query.kind": ["", "sound", "audio,", "audio,sound", "Audio"],
    "query.status_id": ["", "0", "None", "1,", "1,x", "-1"],
    "query.bpm_min": BAD_BPM,
    "query.bpm_max": BAD_BPM,
    "query.key": BAD_LINE_IN_QUERY(40),
    "query.tag": BAD_LINE_IN_QUERY(100),
    "query.uploader": ["", "0", "me", "1,"],
    "query.from": BAD_MOMENT_IN_QUERY,
    "query.to": BAD_MOMENT_IN_QUERY,
    "query.sort": ["", "id", "Name"],
    "query.order": ["", "up", "ASC"],
    "query.cursor": BAD_CURSOR,
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  foreign: [
    ...NOT_THEIR_PROJECT,
    ["a folder of the same team", ({ home, next }) => ({ params: { project_id: home.project }, query: { folder_id: next.folder } }), 404],
    ["a file, which holds nothing", ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: home.file } }), 400],
  ],
  edge: {},
};

export const listFolders: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ params: { project_id: home.project } }),
  happy: ({ answer, cast: { home } }) => {
    expect(answer.data[0]).toMatchObject({ id: home.root, parent_id: null, kind: "folder", is_folder: true });
    expect(answer.data.find(({ id }: { id: number }) => id === home.folder)).toMatchObject({ parent_id: home.root, name: "Mixes" });
    expect(answer.data.every(({ kind }: { kind: string }) => kind === "folder")).toBe(true);
  },
  bad: { "params.project_id": BAD_ID_IN_PATH },
  foreign: NOT_THEIR_PROJECT,
  edge: {},
};

export const getFileFacets: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ params: { project_id: home.project } }),
  happy: ({ data }) => {
    expect(data.bpm).toEqual({ min: 120, max: 120 });
    expect(data.keys[0]).toMatchObject({ key: "A minor" });
    expect(data.kinds.map(({ kind }: { kind: string }) => kind)).toContain("audio");
  },
  bad: { "params.project_id": BAD_ID_IN_PATH },
  foreign: NOT_THEIR_PROJECT,
  edge: {},
};

export const moveFiles: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({
    body: { file_ids: [await upload(cast.world, cast.guest, { parent: cast.home.folder, name: `${newName()}.wav` })], parent_id: cast.home.root },
  }),
  happy: ({ answer, given, cast: { home } }) =>
    expect(answer.data).toMatchObject([{ id: (given.body as { file_ids: number[] }).file_ids[0], parent_id: home.root, revision: 3 }]),
  bad: { "body.file_ids": BAD_IDS, "body.parent_id": BAD_ID },
  foreign: [
    ...notTheirs(({ home }) => ({ parent_id: home.root })),
    ["what somebody else brought", ({ home }) => ({ body: { file_ids: [home.file], parent_id: home.root } }), 403],
    [
      "one's own folder with what somebody else has put in",
      async (cast) => {
        const own = await newFolder(cast, cast.guest);
        await upload(cast.world, cast.member, { parent: own });
        return { body: { file_ids: [own], parent_id: cast.home.folder } };
      },
      403,
    ],
    [
      "into a folder of the same team",
      async ({ world, guest, home, next }) => ({ body: { file_ids: [await upload(world, guest, { parent: home.folder })], parent_id: next.root } }),
      404,
    ],
    [
      "into a file",
      async ({ world, guest, home }) => ({ body: { file_ids: [await upload(world, guest, { parent: home.folder })], parent_id: home.file } }),
      400,
    ],
  ],
  edge: {
    "not into another project, nor the root folder": async ({ world, owner, home, next }) => {
      const move = async (id: number, parent_id: number) => (await world.call(owner, view.moveFiles, { body: { file_ids: [id], parent_id } })).status;
      expect([await move(next.file, home.root), await move(home.root, home.folder)]).toEqual([400, 403]);
    },
  },
};

export const deleteFiles: Case = {
  as: ({ guest }) => guest,
  good: async ({ world, guest, home }) => {
    const make = () => upload(world, guest, { parent: home.folder });
    return { body: { file_ids: [await make(), await make()] } };
  },
  happy: ({ data, given, cast: { world } }) => {
    const { file_ids } = given.body as { file_ids: number[] };
    // A minute less than 30 days: nobody races with the bytes that go.
    expect(data).toEqual({ file_ids, count: 2, restorable_until: new Date(world.clock.now() + 30 * 86_400_000 - 60_000).toISOString() });
  },
  bad: { "body.file_ids": BAD_IDS },
  foreign: [
    ...notTheirs(),
    ["a file that somebody else brought", ({ home }) => ({ body: { file_ids: [home.file] } }), 403],
    ["the root folder", ({ home }) => ({ body: { file_ids: [home.root] } }), 403],
  ],
  edge: {
    "the same Idempotency-Key deletes once, and answers the same": async (cast) => {
      const body = { file_ids: [await fresh(cast)] };
      const headers = { "idempotency-key": `gone-${body.file_ids[0]}` };
      const remove = () => cast.world.call(cast.member, view.deleteFiles, { body }, { headers });
      expect((await remove()).answer).toEqual((await remove()).answer);
      expect((await cast.world.call(cast.member, view.deleteFiles, { body })).status).toBe(404);
    },
    "not of two projects at once": async ({ world, owner, home, next }) => {
      const body = { file_ids: [home.file, next.file] };
      expect((await world.call(owner, view.deleteFiles, { body })).status).toBe(400);
    },
  },
};

export const restoreFiles: Case = {
  as: ({ guest }) => guest,
  good: async ({ world, guest, home }) => {
    const id = await upload(world, guest, { parent: home.folder });
    await world.call(guest, view.deleteFiles, { body: { file_ids: [id] } });
    return { body: { file_ids: [id] } };
  },
  happy: ({ answer, given, cast: { home } }) =>
    expect(answer.data).toMatchObject([{ id: (given.body as { file_ids: number[] }).file_ids[0], parent_id: home.folder }]),
  bad: { "body.file_ids": BAD_IDS },
  foreign: [
    ...notTheirs(),
    [
      "what somebody else brought",
      async (cast) => {
        const body = { file_ids: [await fresh(cast)] };
        await cast.world.call(cast.member, view.deleteFiles, { body });
        return { body };
      },
      403,
    ],
  ],
  edge: {},
};

export const updateFile: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: { file_id: await fresh(cast) }, body: { name: `${newName()}.wav`, removal_protection: true, task_load_protection: true } }),
  happy: ({ data, given }) =>
    expect(data).toMatchObject({ name: (given.body as { name: string }).name, removal_protection: true, task_load_protection: true, is_folder: false }),
  bad: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.name": [...badLine(255), "a/b", "a\\b", ".", "..", "é".repeat(128), "../x", "MIX.wav"],
    "body.removal_protection": BAD_BOOLEAN,
    "body.task_load_protection": BAD_BOOLEAN,
  },
  foreign: notTheirsInPath(),
  edge: {
    "a guest may not, not even their own": async ({ world, guest, home }) => {
      const file_id = await upload(world, guest, { parent: home.folder });
      expect((await world.call(guest, view.updateFile, { params: { file_id }, body: { removal_protection: true } })).status).toBe(403);
    },
  },
};

export const getArchive: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ query: { ids: `${home.folder}`, name: "Mixes for Ana" } }),
  happy: ({ reply }) => {
    expect(reply.text.slice(0, 4)).toBe("PK\u0003\u0004");
    expect(reply.headers).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="Mixes for Ana.zip"; filename*=UTF-8''Mixes%20for%20Ana.zip`,
    });
  },
  bad: { "query.ids": BAD_IDS_IN_QUERY, "query.name": BAD_LINE_IN_QUERY(255) },
  foreign: [
    ["one of them of the same team", ({ home, next }) => ({ query: { ids: `${home.file},${next.file}` } }), 404],
    ["of another organisation", ({ foreign }) => ({ query: { ids: `${foreign.root}` } }), 404],
    ["one that does not exist", () => ({ query: { ids: "999999" } }), 404],
  ],
  edge: {},
};
