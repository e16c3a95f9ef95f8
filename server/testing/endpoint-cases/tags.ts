import { expect } from "vitest";
import * as tags from "../../../contract/operations/tags.ts";
import { BAD_ID_IN_PATH, type EndpointCase } from "./case.ts";
import { createFile, createProcessedFile, inaccessibleFilesInPath } from "./helpers.ts";

export const correctTags: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { file_id: await createProcessedFile(fixtures) }, body: { bpm: 87.5, key: "Eb minor" } }),
  assertResponse: ({ response }) => {
    expect(response.file_info).toMatchObject({ bpm: 87.5, key: "Eb minor", corrected: { bpm: true, key: true } });
    expect(response.ai_tags).toMatchObject({ bpm: 120, key: ["A minor"] });
  },
  invalid: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.bpm": [0, 19.9, 400.1, -1, "120", true, {}],
    "body.key": ["", "A", "a minor", "H minor", 1, true, "A minor "],
  },
  rejectedRequests: [
    ...inaccessibleFilesInPath(),
    ["a folder", ({ home }) => ({ params: { file_id: home.folder }, body: { bpm: 100 } }), 400],
    ["an unprocessed file", async (fixtures) => ({ params: { file_id: await createFile(fixtures) }, body: { bpm: 100 } }), 409],
  ],
  edgeCases: {
    "null removes a correction": async (fixtures) => {
      const params = { file_id: await createProcessedFile(fixtures) };
      const correct = async (body: { bpm?: number | null; key?: "C major" | null }) =>
        (await fixtures.testApp.call(fixtures.member, tags.correctTags, { params, body })).response.file_info;
      expect(await correct({ key: "C major" })).toMatchObject({ bpm: 120, key: "C major", corrected: { bpm: false, key: true } });
      expect(await correct({ key: null })).toMatchObject({ bpm: 120, key: "A minor", corrected: { bpm: false, key: false } });
    },
  },
};

export const regenerateTags: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { file_id: await createProcessedFile(fixtures) } }),
  assertResponse: ({ data }) => expect(data.transcoding_status).toBe("waiting"),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: [...inaccessibleFilesInPath(), ["a folder", ({ home }) => ({ params: { file_id: home.folder } }), 400]],
  edgeCases: {},
};
