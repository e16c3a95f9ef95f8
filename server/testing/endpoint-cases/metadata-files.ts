import { expect } from "vitest";
import * as operations from "../../../contract/operations/metadata.ts";
import { encodeAudio, testSong } from "../audio.ts";
import { upload } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import { createMetadataTemplate, deleteMetadataTemplates, fieldOf } from "../metadata.ts";
import { BAD_ID_IN_PATH, BAD_IDS_IN_QUERY, BAD_LINE_IN_QUERY, type EndpointCase } from "./case.ts";

const inaccessibleProjects: EndpointCase["rejectedRequests"] = [
  ["a project of another organization", ({ foreign: { project } }) => ({ params: { project_id: project }, bytes: Buffer.from("Path\n") }), 404],
  ["a project that does not exist", () => ({ params: { project_id: 999_999 }, bytes: Buffer.from("Path\n") }), 404],
];
const fresh = async (fixtures: Fixtures) => {
  await deleteMetadataTemplates(fixtures);
  return createMetadataTemplate(fixtures);
};

/** Uploads a file whose notes are "warm". */
async function createTaggedFile(fixtures: Fixtures, name = "tagged.wav", bytes = encodeAudio("wav16", testSong(1), 44_100)): Promise<number> {
  const { testApp, member, home } = fixtures;
  const notes = fieldOf(await fresh(fixtures), "Notes");
  const file_id = await upload(testApp, member, { parent: home.folder, name, bytes });
  await testApp.call(member, operations.updateFileMetadata, { params: { file_id }, body: { values: { [notes.id]: "warm" } } });
  return file_id;
}

export const exportMetadata: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project }, query: { folder_id: String(home.root) } }),
  assertResponse: ({ reply }) => {
    expect(reply.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
    expect(reply.text).toMatch(/^\uFEFF?File ID,Path,Name/);
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.folder_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleProjects.map(([title, input, status]) => [title, async (fixtures) => ({ params: (await input(fixtures)).params }), status]),
  edgeCases: {},
};
export const importMetadata: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    await fresh(fixtures);
    return { params: { project_id: fixtures.home.project }, bytes: Buffer.from(`File ID,Notes\r\n${fixtures.home.file},imported\r\n`) };
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ dry_run: false, row_count: 1, changed_file_count: 1, error_count: 0 }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "query.dry_run": ["yes", "1"], "query.if_digest": ["", "abc", "A".repeat(64)] },
  rejectedRequests: [
    ...inaccessibleProjects,
    ["an empty table", ({ home }) => ({ params: { project_id: home.project }, bytes: Buffer.from("") }), 400],
    ["a table without files", ({ home }) => ({ params: { project_id: home.project }, bytes: Buffer.from("Notes\nx\n") }), 400],
    ["another digest", ({ home }) => ({ params: { project_id: home.project }, query: { if_digest: "0".repeat(64) }, bytes: Buffer.from("Path\nx") }), 409],
    ["an open quote", ({ home }) => ({ params: { project_id: home.project }, bytes: Buffer.from('Path\n"x') }), 400],
    ["bytes that are no UTF-8", ({ home }) => ({ params: { project_id: home.project }, bytes: Buffer.from([0xff, 0xfe, 0x41]) }), 400],
    ["a table that is too large", ({ home }) => ({ params: { project_id: home.project }, bytes: Buffer.alloc(5_000_001, "x") }), 413],
  ],
  edgeCases: {},
};
export const downloadWithMetadata: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { file_id: await createTaggedFile(fixtures) }, query: { version: "1" } }),
  assertResponse: ({ reply }) => expect(reply.text).toMatch(/^RIFF[^]*ICMT[^]*warm[^]*iXML/),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.version": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a file of another organization", ({ foreign: { file } }) => ({ params: { file_id: file } }), 404],
    [
      "a file without values",
      async (fixtures) => {
        await deleteMetadataTemplates(fixtures);
        return { params: { file_id: fixtures.home.file } };
      },
      409,
    ],
    ["a file of another format", async (fixtures) => ({ params: { file_id: await createTaggedFile(fixtures, "lyrics.txt", Buffer.from("la la")) } }), 415],
  ],
  edgeCases: {},
};
export const getArchiveWithMetadata: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ query: { ids: `${await createTaggedFile(fixtures)}`, name: "For Ana" } }),
  assertResponse: ({ reply }) => {
    expect(reply.text).toMatch(/^PK\u0003\u0004[^]*RIFF[^]*ICMT[^]*warm/);
    expect(reply.headers).toMatchObject({ "content-type": "application/zip", "content-disposition": expect.stringContaining("For Ana.zip") });
  },
  invalid: { "query.ids": BAD_IDS_IN_QUERY, "query.name": BAD_LINE_IN_QUERY(255) },
  rejectedRequests: [
    ["a folder of another organization", ({ foreign }) => ({ query: { ids: `${foreign.root}` } }), 404],
    ["a file that does not exist", () => ({ query: { ids: "999999" } }), 404],
    [
      "files without values",
      async (fixtures) => {
        await deleteMetadataTemplates(fixtures);
        return { query: { ids: `${fixtures.home.folder}` } };
      },
      409,
    ],
  ],
  edgeCases: {},
};
