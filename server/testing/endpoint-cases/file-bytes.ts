/** Endpoint cases for uploading and downloading bytes. */
import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { createTusUpload, tusHeaders, uploadIdFromUrl } from "../files.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, type EndpointCase } from "./case.ts";
import { createFile, inaccessibleFilesInPath } from "./helpers.ts";

const BAD_NAME_IN_QUERY = ["", " ", "a/b", "..", "x".repeat(256), "é".repeat(128), "two\nlines", "nul\0", "gpj\u202e.exe"];
const BAD_FILE_NUMBER = ["0", "-1", "x", "1.5", "1e3"];

export const getPeaks: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file }, query: { version: 1 } }),
  assertResponse: ({ data }) =>
    expect(data).toMatchObject({
      version: 1,
      channels: 1,
      sample_rate: 48_000,
      duration: 2.5,
      levels: [{ samples_per_pixel: 64, length: 5, bytes: 10, url: expect.stringMatching(/\/versions\/1\/peaks\/0$/) }, { samples_per_pixel: 256 }],
    }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.version": BAD_FILE_NUMBER },
  rejectedRequests: inaccessibleFilesInPath(),
  edgeCases: {
    "returns 404 before the peaks are ready": async (fixtures) => {
      const reply = await fixtures.testApp.call(fixtures.guest, files.getPeaks, { params: { file_id: await createFile(fixtures) } });
      expect([reply.status, reply.problem.detail]).toEqual([404, "The peaks are not ready yet."]);
    },
  },
};

export const createSignedUrl: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file }, body: { version: 1, variant: "original", expires_in: 3_600 } }),
  assertResponse: ({ data }) => expect(data.url).toMatch(/^http:\/\/talkback\.test:3000\/api\/v2\/media\/[\w.-]+$/),
  invalid: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.version": BAD_ID,
    "body.variant": ["", "peaks", 5, null],
    "body.expires_in": [59, 604_801, "60", null, 1.5],
  },
  rejectedRequests: [
    ...inaccessibleFilesInPath(),
    ["a version that does not exist", ({ home }) => ({ params: { file_id: home.file }, body: { version: 9 } }), 404],
  ],
  edgeCases: {},
};

export const uploadFile: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ query: { parent_id: home.folder, name: "take.wav" }, bytes: Buffer.from("sound") }),
  assertResponse: async ({ response, fixtures: { testApp, guest } }) => {
    expect(response.version).toBe(1);
    const { common } = (await testApp.call(guest, files.getFileInfo, { body: { file_id: response.file_id } })).response;
    expect(common).toMatchObject({ name: expect.stringMatching(/^take( \(\d+\))?\.wav$/), size: 5, account_id: guest.id, transcoding_status: "waiting" });
  },
  invalid: { "query.parent_id": BAD_ID_IN_PATH, "query.name": BAD_NAME_IN_QUERY, "query.version_of": BAD_ID_IN_PATH },
  rejectedRequests: [
    [
      "an upload into a folder in another project of the same team",
      ({ next }) => ({ query: { parent_id: next.folder, name: "x" }, bytes: Buffer.from("x") }),
      404,
    ],
    ["an upload into a folder of another organization", ({ foreign }) => ({ query: { parent_id: foreign.folder, name: "x" }, bytes: Buffer.from("x") }), 404],
    ["a version of a file in another project of the same team", ({ next }) => ({ query: { version_of: next.file }, bytes: Buffer.from("x") }), 404],
    ["an upload into a file", ({ home }) => ({ query: { parent_id: home.file, name: "x" }, bytes: Buffer.from("x") }), 400],
    ["a version of a folder", ({ home }) => ({ query: { version_of: home.folder }, bytes: Buffer.from("x") }), 400],
    ["an upload of JSON", ({ home }) => ({ query: { parent_id: home.folder, name: "x" }, body: {} }), 415],
    ["an upload without a destination", () => ({ query: { name: "x" }, bytes: Buffer.from("x") }), 400],
  ],
  edgeCases: {},
};

export const getContent: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file, number: 1, variant: "original" } }),
  assertResponse: ({ reply }) => {
    expect(reply.text).toBe("RIFF some sound");
    expect(reply.headers).toMatchObject({ "content-type": "audio/wav", "content-length": "15", "content-security-policy": "sandbox; default-src 'none'" });
  },
  invalid: {
    "params.file_id": BAD_ID_IN_PATH,
    "params.number": BAD_ID_IN_PATH,
    "params.variant": ["", "blob", "Original", "__proto__"].filter(Boolean),
    "query.download": [],
  },
  rejectedRequests: [
    ...inaccessibleFilesInPath(() => ({ number: 1, variant: "original" })),
    ["a version that does not exist", ({ home }) => ({ params: { file_id: home.file, number: 2, variant: "original" } }), 404],
    ["a copy that does not exist", ({ home }) => ({ params: { file_id: home.file, number: 1, variant: "still" } }), 404],
  ],
  edgeCases: {},
};

export const getPeaksLevel: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file, number: 1, level: 1 } }),
  assertResponse: ({ reply }) => {
    expect(reply.text).toBe("peaks coarse");
    expect(reply.headers["content-disposition"]).toMatch(/^attachment; filename="mix-256\.dat"/);
  },
  invalid: { "params.file_id": BAD_ID_IN_PATH, "params.number": BAD_ID_IN_PATH, "params.level": ["x", "-1", "100", "1.5"] },
  rejectedRequests: [
    ...inaccessibleFilesInPath(() => ({ number: 1, level: 0 })),
    ["a level that does not exist", ({ home }) => ({ params: { file_id: home.file, number: 1, level: 2 } }), 404],
  ],
  edgeCases: {},
};

export const getSignedContent: EndpointCase = {
  valid: async ({ testApp, guest, home }) => {
    const { url } = (await testApp.call(guest, files.createSignedUrl, { params: { file_id: home.file }, body: {} })).response.data;
    return { params: { token: url.split("/").at(-1) } };
  },
  assertResponse: ({ reply }) => {
    expect(reply.text).toBe("RIFF some sound");
    expect(reply.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  },
  invalidStatus: 404,
  invalid: {
    "params.token": ["x", "1.1.original.1.9999999999999", `1.1.original.1.9999999999999.${"A".repeat(43)}`, "%00", "..%2f"],
    "query.download": [],
  },
  rejectedRequests: [],
  edgeCases: {},
};

export const createUpload: EndpointCase = {
  caller: ({ guest }) => guest,
  status: 201,
  valid: ({ home }) => ({ headers: tusHeaders(10, { name: "take.wav", parent_id: home.folder }) }),
  assertResponse: ({ reply }) => {
    expect(reply.headers["location"]).toMatch(/^\/api\/v2\/uploads\/[0-9a-f]{32}$/);
    expect(reply.headers["tus-resumable"]).toBe("1.0.0");
  },
  invalid: {},
  rejectedRequests: [
    ["an upload into a folder in another project of the same team", ({ next }) => ({ headers: tusHeaders(1, { name: "x", parent_id: next.folder }) }), 404],
    ["an upload into a folder of another organization", ({ foreign }) => ({ headers: tusHeaders(1, { name: "x", parent_id: foreign.folder }) }), 404],
    ["an upload into the chat of another project of the same team", ({ next }) => ({ headers: tusHeaders(1, { name: "x", project_id: next.project }) }), 404],
    ["a version of a file in another project of the same team", ({ next }) => ({ headers: tusHeaders(1, { version_of: next.file }) }), 404],
    ["an upload into a file", ({ home }) => ({ headers: tusHeaders(1, { name: "x", parent_id: home.file }) }), 400],
    ["a name that is a path", ({ home }) => ({ headers: tusHeaders(1, { name: "../x", parent_id: home.folder }) }), 400],
    ...["a/b.wav", "a\\b.wav", "..", "nul\0.wav", "gpj\u202e.exe", "zero\u200bwidth", "two\nlines", "x".repeat(300), "é".repeat(128), "  "].map(
      (name) =>
        [`the name ${JSON.stringify(name).slice(0, 30)}`, ({ home }: Fixtures) => ({ headers: tusHeaders(1, { name, parent_id: home.folder }) }), 400] as const,
    ),
    ["a missing name", ({ home }) => ({ headers: tusHeaders(1, { parent_id: home.folder }) }), 400],
    ["an invalid id", () => ({ headers: tusHeaders(1, { name: "x", parent_id: "1e3" }) }), 400],
    ["an upload without a destination", () => ({ headers: tusHeaders(1, { name: "x" }) }), 400],
    ["a missing length", ({ home }) => ({ headers: { ...tusHeaders(1, { name: "x", parent_id: home.folder }), "upload-length": "" } }), 400],
    ["an invalid length", ({ home }) => ({ headers: { ...tusHeaders(1, { name: "x", parent_id: home.folder }), "upload-length": "-5" } }), 400],
    ["a request without Tus-Resumable", () => ({ headers: {} }), 412],
  ],
  edgeCases: {},
};

export const getUpload: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest, home }) => ({
    params: { upload_id: uploadIdFromUrl(await createTusUpload(testApp, guest, 10, { name: "take.wav", project_id: home.project })) },
  }),
  assertResponse: ({ data, input }) => expect(data).toEqual({ id: input.params?.["upload_id"], size: 10, file_id: null, version: null }),
  invalid: { "params.upload_id": ["x", "..", "A".repeat(32), "0".repeat(31)].filter((value) => value !== "..") },
  rejectedRequests: [
    [
      "another person's upload",
      async ({ testApp, member, home }) => ({
        params: { upload_id: uploadIdFromUrl(await createTusUpload(testApp, member, 1, { name: "x", parent_id: home.folder })) },
      }),
      404,
    ],
    ["an upload that does not exist", () => ({ params: { upload_id: "0".repeat(32) } }), 404],
  ],
  edgeCases: {},
};
