import { expect } from "vitest";
import { sendMessage } from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import type { Cast } from "../cast.ts";
import { ELSEWHERE, upload } from "../files.ts";
import { BAD_BOOLEAN, BAD_ID, badLine, orNull, type Case } from "./case.ts";

export const NOT_THEIRS: Case["foreign"] = [
  ["a file of the same team", ({ next }) => ({ body: { file_id: next.file } }), 404],
  ["a file of another organisation", ({ foreign }) => ({ body: { file_id: foreign.file } }), 404],
  ["a file that does not exist", () => ({ body: { file_id: 999_999 } }), 404],
];
export const notTheirsInPath = (more: (cast: Cast) => Record<string, unknown> = () => ({})): Case["foreign"] => [
  ["a file of the same team", (cast) => ({ params: { file_id: cast.next.file, ...more(cast) }, body: {} }), 404],
  ["a file of another organisation", (cast) => ({ params: { file_id: cast.foreign.file, ...more(cast) }, body: {} }), 404],
];
const BAD_NAME = [...badLine(255), "a/b", "a\\b", ".", "..", "é".repeat(128), "\u200ename", "../x"];
const BAD_MOMENT = [5, null, "", "yesterday", "2026-03-02", "2026-03-02T09:00:00"];

export const fresh = (cast: Cast, name = "take.wav") => upload(cast.world, cast.member, { parent: cast.home.folder, name });

export const getFileInfo: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { file_id: home.file } }),
  happy: ({ answer, cast: { home, owner } }) => {
    expect(answer.common).toMatchObject({
      id: home.file,
      name: "mix.wav",
      size: 15,
      account_id: owner.id,
      project_id: home.project,
      file_team_id: home.team,
      is_blind_drop: false,
      is_shared: false,
      status: null,
      transcoding_status: "transcoded",
    });
    expect(answer.file_info).toMatchObject({
      object: "audio_file_info",
      annotations: '{"title":"Intro"}',
      audio_encoding: "pcm_s24le",
      bitrate: "2304000",
      bits_per_sample: 24,
      bpm: 120,
      duration: 2.5,
      key: "A minor",
      number_of_chanels: 2,
      number_of_samples: 120_000,
      samplerate: 48_000,
      wave: [0, 0.5, 1],
    });
    expect(answer.ai_tags).toMatchObject({ bpm: 120, genres: [], instruments: [], moods: [], key: ["A minor"] });
  },
  bad: { "body.file_id": BAD_ID, "body.version": BAD_ID },
  foreign: [
    ...NOT_THEIRS,
    ["a version that is not there", ({ home }) => ({ body: { file_id: home.file, version: 2 } }), 404],
    ["a version of a number that no column holds", ({ home }) => ({ body: { file_id: home.file, version: 2 ** 40 } }), 404],
  ],
  edge: {
    "a folder, and a file that nothing is known of yet, have every documented member too": async (cast) => {
      const { world, guest, home } = cast;
      const folder = (await world.call(guest, files.getFileInfo, { body: { file_id: home.folder } })).answer;
      expect(folder).toMatchObject({
        file_info: { object: "folder_info" },
        common: { size: 0, compressed_file_url: null, status: null },
        ai_tags: { bpm: 0, genres: [], key: [] },
      });
      const waiting = (await world.call(guest, files.getFileInfo, { body: { file_id: await fresh(cast) } })).answer;
      expect(waiting).toMatchObject({ file_info: { object: "document_file_info" }, common: { transcoding_status: "waiting", compressed_file_url: null } });
    },
  },
};

export const listFolder: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { file_id: home.folder } }),
  happy: ({ answer, cast: { home } }) => {
    const mix = answer.data.find(({ id }: { id: number }) => id === home.file);
    expect(mix).toMatchObject({
      object: "file",
      name: "mix.wav",
      is_folder: false,
      parent_id: home.folder,
      size: 15,
      removal_protection: false,
      task_load_protection: false,
      team_id: home.team,
    });
  },
  bad: { "body.file_id": BAD_ID },
  foreign: [...NOT_THEIRS, ["a file, which holds nothing", ({ home }) => ({ body: { file_id: home.file } }), 400]],
  edge: {
    "folders first, by name whatever the case": async ({ world, member, home }) => {
      const inside = (await world.call(member, files.makeFolder, { body: { parent_id: home.root, name: "Order" } })).answer.data.id;
      for (const name of ["b.wav", "A.wav"]) await upload(world, member, { parent: inside, name });
      for (const name of ["y", "X"]) await world.call(member, files.makeFolder, { body: { parent_id: inside, name } });
      expect((await world.call(member, files.listFolder, { body: { file_id: inside } })).answer.data.map(({ name }) => name)).toEqual([
        "X",
        "y",
        "A.wav",
        "b.wav",
      ]);
    },
  },
};

export const findFiles: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({
    body: { team_id: home.team, group_id: home.group, start_date: "2020-01-01T00:00:00Z", end_date: "2100-01-01T00:00:00+02:00", limit: 5 },
  }),
  happy: ({ answer, cast: { home } }) => {
    expect(answer.data.length).toBeLessThanOrEqual(5);
    expect(answer.data.every((one: { is_folder: boolean; project_id: number }) => !one.is_folder && one.project_id === home.project)).toBe(true);
  },
  bad: {
    "body.team_id": BAD_ID,
    "body.group_id": orNull(BAD_ID),
    "body.start_date": BAD_MOMENT,
    "body.end_date": BAD_MOMENT,
    "body.limit": [0, -1, "5", 1.5, null],
    "body.offset": [-1, "0", 1.5, null],
  },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edge: {
    "newest first, in pages, within dates; nothing of projects that are not theirs": async (cast) => {
      const { world, guest, home, next } = cast;
      world.clock.pass(60_000);
      const from = new Date(world.clock.now()).toISOString();
      const made = [await fresh(cast, "one.wav"), await fresh(cast, "two.wav"), await fresh(cast, "three.wav")].reverse();
      const find = async (more: object) =>
        (await world.call(guest, files.findFiles, { body: { team_id: home.team, start_date: from, ...more } })).answer.data.map(({ id }) => id);
      expect(await find({})).toEqual(made);
      expect(await find({ limit: 2 })).toEqual(made.slice(0, 2));
      expect(await find({ limit: 2, offset: 2 })).toEqual(made.slice(2));
      expect(await find({ end_date: from })).toEqual([]);
      expect(await find({ group_id: null })).toEqual([]);
      expect(await find({ group_id: next.group })).toEqual([]);
    },
  },
};

let drawn = 0;
const newName = (): string => `Folder ${++drawn}`;

export const makeFolder: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { name: newName(), parent_id: home.root, removal_protection: true } }),
  happy: ({ data, given, cast: { home, guest } }) =>
    expect(data).toMatchObject({
      name: (given.body as { name: string }).name,
      is_folder: true,
      parent_id: home.root,
      removal_protection: true,
      task_load_protection: false,
      size: 0,
      account_id: guest.id,
    }),
  bad: { "body.name": BAD_NAME, "body.parent_id": BAD_ID, "body.removal_protection": BAD_BOOLEAN, "body.task_load_protection": BAD_BOOLEAN },
  foreign: [
    ["a folder of the same team", ({ next }) => ({ body: { name: "x", parent_id: next.root } }), 404],
    ["a folder of another organisation", ({ foreign }) => ({ body: { name: "x", parent_id: foreign.root } }), 404],
    ["a file", ({ home }) => ({ body: { name: "x", parent_id: home.file } }), 400],
  ],
  edge: {
    "a name that differs only in case or Unicode form is taken": async ({ world, member, home }) => {
      const make = (name: string) => world.call(member, files.makeFolder, { body: { name, parent_id: home.root } });
      expect((await make("Éclats")).status).toBe(200);
      for (const twin of ["éCLATS", "E\u0301clats", " Éclats "]) expect((await make(twin)).status, twin).toBe(409);
    },
    "the same Idempotency-Key makes one folder": async ({ world, member, home }) => {
      const make = () => world.call(member, files.makeFolder, { body: { name: "Once", parent_id: home.root } }, { headers: { "idempotency-key": "folder" } });
      expect((await make()).answer.data.id).toBe((await make()).answer.data.id);
    },
  },
};

export const getFolderUrl: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { file_id: home.folder } }),
  happy: ({ data, cast: { home } }) => expect(data.url).toBe(`http://talkback.test:3000/projects/${home.project}/files/${home.folder}`),
  bad: { "body.file_id": BAD_ID },
  foreign: [...NOT_THEIRS, ["a file", ({ home }) => ({ body: { file_id: home.file } }), 400]],
  edge: {},
};

export const updateFolder: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ body: { file_id: home.folder, name: "Mixes", removal_protection: false, task_load_protection: true } }),
  happy: ({ data, cast: { home } }) => expect(data).toMatchObject({ id: home.folder, name: "Mixes", removal_protection: false, task_load_protection: true }),
  bad: { "body.file_id": BAD_ID, "body.name": BAD_NAME, "body.removal_protection": BAD_BOOLEAN, "body.task_load_protection": BAD_BOOLEAN },
  foreign: [...NOT_THEIRS, ["a file", ({ home }) => ({ body: { file_id: home.file, task_load_protection: true } }), 400]],
  edge: {
    "the root folder keeps its name, but may be protected": async ({ world, member, home }) => {
      expect((await world.call(member, files.updateFolder, { body: { file_id: home.root, name: "x" } })).status).toBe(403);
      expect(
        (await world.call(member, files.updateFolder, { body: { file_id: home.root, task_load_protection: true } })).answer.data.task_load_protection,
      ).toBe(true);
    },
  },
};

export const renameFile: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ body: { file_id: await fresh(cast), name: `renamed ${++drawn}.wav` } }),
  happy: ({ data, given }) => expect(data.name).toBe((given.body as { name: string }).name),
  bad: { "body.file_id": BAD_ID, "body.name": BAD_NAME },
  foreign: NOT_THEIRS.map(
    ([what, given, status]) => [what, async (cast: Cast) => ({ body: { ...((await given(cast)).body as object), name: "x" } }), status] as const,
  ),
  edge: {
    "a taken name is a 409, one's own in another case is not": async (cast) => {
      const { world, member } = cast;
      const id = await fresh(cast, `own ${++drawn}.wav`);
      expect((await world.call(member, files.renameFile, { body: { file_id: id, name: "MIX.wav" } })).status).toBe(409);
      expect((await world.call(member, files.renameFile, { body: { file_id: id, name: `OWN ${drawn}.wav` } })).answer.data.name).toBe(`OWN ${drawn}.wav`);
    },
    "a guest may not, not even their own": async ({ world, guest, home }) => {
      const id = await upload(world, guest, { parent: home.folder, name: "guest.wav" });
      expect((await world.call(guest, files.renameFile, { body: { file_id: id, name: "x" } })).status).toBe(403);
    },
  },
};

export const deleteFile: Case = {
  as: ({ guest }) => guest,
  good: async ({ world, guest, home }) => ({ body: { file_id: await upload(world, guest, { parent: home.folder }) } }),
  happy: async ({ data, cast: { world, guest } }) => {
    expect((await world.call(guest, files.getFileInfo, { body: { file_id: data.id } })).status).toBe(404);
  },
  bad: { "body.file_id": BAD_ID, "body.unless_sent": BAD_BOOLEAN },
  foreign: [...NOT_THEIRS, ["a file that somebody else brought", ({ home }) => ({ body: { file_id: home.file } }), 403]],
  edge: {
    "the root folder stays": async ({ world, owner, home }) => {
      expect((await world.call(owner, files.deleteFile, { body: { file_id: home.root } })).status).toBe(403);
    },
    "unless a message carries it, where that is asked": async (cast) => {
      const { world, member, home } = cast;
      const [sent, unsent] = [await fresh(cast), await fresh(cast)];
      await world.call(member, sendMessage, { body: { project_id: home.project, body: "", attachment_ids: [sent] } });
      const remove = async (file_id: number, unless_sent: boolean) => (await world.call(member, files.deleteFile, { body: { file_id, unless_sent } })).status;
      expect([await remove(sent, true), await remove(unsent, true), await remove(sent, false)]).toEqual([409, 200, 200]);
    },
    "once is enough": async (cast) => {
      const body = { file_id: await fresh(cast) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await cast.world.call(cast.member, files.deleteFile, { body })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    },
  },
};

export const uploadExternal: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { url: ELSEWHERE, parent_id: home.folder } }),
  happy: async ({ answer, cast: { world, guest } }) => {
    const { common } = (await world.call(guest, files.getFileInfo, { body: { file_id: answer.file_id } })).answer;
    expect(common).toMatchObject({ name: expect.stringMatching(/^take one/), size: 14 });
  },
  bad: {
    "body.url": [
      5,
      null,
      "",
      "x",
      "http://files.example/x",
      "ftp://files.example/x",
      "https://user@files.example/",
      "https://127.0.0.1/x",
      "https://[::1]/",
      "https://169.254.169.254/latest",
      `https://files.example/${"x".repeat(2_048)}`,
    ],
    "body.parent_id": BAD_ID,
    "body.name": BAD_NAME,
  },
  foreign: [
    ["into a folder of the same team", ({ next }) => ({ body: { url: ELSEWHERE, parent_id: next.folder } }), 404],
    ["into a folder of another organisation", ({ foreign }) => ({ body: { url: ELSEWHERE, parent_id: foreign.folder } }), 404],
  ],
  edge: {},
};
