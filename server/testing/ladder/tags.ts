import { expect } from "vitest";
import * as tags from "../../../contract/operations/tags.ts";
import type { Cast } from "../cast.ts";
import { processed } from "../files.ts";
import { BAD_ID_IN_PATH, type Case } from "./case.ts";
import { fresh, notTheirsInPath } from "./files.ts";

async function sound(cast: Cast): Promise<number> {
  const id = await fresh(cast);
  await processed(cast.world, id);
  return id;
}

export const correctTags: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: { file_id: await sound(cast) }, body: { bpm: 87.5, key: "Eb minor" } }),
  happy: ({ answer }) => {
    expect(answer.file_info).toMatchObject({ bpm: 87.5, key: "Eb minor", corrected: { bpm: true, key: true } });
    expect(answer.ai_tags).toMatchObject({ bpm: 120, key: ["A minor"] });
  },
  bad: {
    "params.file_id": BAD_ID_IN_PATH,
    "body.bpm": [0, 19.9, 400.1, -1, "120", true, {}],
    "body.key": ["", "A", "a minor", "H minor", 1, true, "A minor "],
  },
  foreign: [
    ...notTheirsInPath(),
    ["a folder", ({ home }) => ({ params: { file_id: home.folder }, body: { bpm: 100 } }), 400],
    ["a file that was not looked into yet", async (cast) => ({ params: { file_id: await fresh(cast) }, body: { bpm: 100 } }), 409],
  ],
  edge: {
    "null takes it back": async (cast) => {
      const params = { file_id: await sound(cast) };
      const put = async (body: { bpm?: number | null; key?: "C major" | null }) =>
        (await cast.world.call(cast.member, tags.correctTags, { params, body })).answer.file_info;
      expect(await put({ key: "C major" })).toMatchObject({ bpm: 120, key: "C major", corrected: { bpm: false, key: true } });
      expect(await put({ key: null })).toMatchObject({ bpm: 120, key: "A minor", corrected: { bpm: false, key: false } });
    },
  },
};

export const regenerateTags: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: { file_id: await sound(cast) } }),
  happy: ({ data }) => expect(data.transcoding_status).toBe("waiting"),
  bad: { "params.file_id": BAD_ID_IN_PATH },
  foreign: [...notTheirsInPath(), ["a folder", ({ home }) => ({ params: { file_id: home.folder } }), 400]],
  edge: {},
};
