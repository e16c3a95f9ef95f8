import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { EXTERNAL_FILE_URL, upload } from "../files.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_TIMESTAMP, badLine, badSearchText, withoutNull, type EndpointCase } from "./case.ts";
import { createFile, inaccessibleFilesInBody } from "./helpers.ts";

const BAD_NAME = [...badLine(255), "a/b", "a\\b", ".", "..", "é".repeat(128), "\u200ename", "../x"];

export const getFileInfo: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { file_id: home.file } }),
  assertResponse: ({ response, fixtures: { home, owner } }) => {
    expect(response.common).toMatchObject({
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
    expect(response.file_info).toMatchObject({
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
    expect(response.ai_tags).toMatchObject({ bpm: 120, genres: [], instruments: [], moods: [], key: ["A minor"] });
  },
  invalid: { "body.file_id": BAD_ID, "body.version": BAD_ID },
  rejectedRequests: [
    ...inaccessibleFilesInBody(),
    ["a version that does not exist", ({ home }) => ({ body: { file_id: home.file, version: 2 } }), 404],
    ["a version number out of range", ({ home }) => ({ body: { file_id: home.file, version: 2 ** 40 } }), 404],
  ],
  edgeCases: {
    "a folder and an unprocessed file have every documented member too": async (fixtures) => {
      const { testApp, guest, home } = fixtures;
      const folder = (await testApp.call(guest, files.getFileInfo, { body: { file_id: home.folder } })).response;
      expect(folder).toMatchObject({
        file_info: { object: "folder_info" },
        common: { size: 0, compressed_file_url: null, status: null },
        ai_tags: { bpm: 0, genres: [], key: [] },
      });
      const unprocessed = (await testApp.call(guest, files.getFileInfo, { body: { file_id: await createFile(fixtures) } })).response;
      expect(unprocessed).toMatchObject({ file_info: { object: "document_file_info" }, common: { transcoding_status: "waiting", compressed_file_url: null } });
    },
  },
};

export const listFolder: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { file_id: home.folder } }),
  assertResponse: ({ response, fixtures: { home } }) => {
    const mix = response.data.find(({ id }: { id: number }) => id === home.file);
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
  invalid: { "body.file_id": BAD_ID, "body.cursor": [7, "", "x", "x".repeat(2_001)], "body.limit": [0, -1, "ten", 1.5] },
  rejectedRequests: [...inaccessibleFilesInBody(), ["a file instead of a folder", ({ home }) => ({ body: { file_id: home.file } }), 400]],
  edgeCases: {
    "pages through a folder": async ({ testApp, member, home }) => {
      const folderId = (await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name: "Paged" } })).response.data.id;
      for (const name of ["one.wav", "two.wav"]) await upload(testApp, member, { parent: folderId, name });
      const pageAt = async (cursor?: string) => (await testApp.call(member, files.listFolder, { body: { file_id: folderId, limit: 1, cursor } })).response;
      const first = await pageAt();
      expect([first.data.map(({ name }) => name), first.has_more]).toEqual([["one.wav"], true]);
      const second = await pageAt(first.next_cursor ?? "");
      expect([second.data.map(({ name }) => name), second.has_more, second.next_cursor]).toEqual([["two.wav"], false, null]);
    },
    "lists folders first, sorted by name ignoring case": async ({ testApp, member, home }) => {
      const folderId = (await testApp.call(member, files.createFolder, { body: { parent_id: home.root, name: "Order" } })).response.data.id;
      for (const name of ["b.wav", "A.wav"]) await upload(testApp, member, { parent: folderId, name });
      for (const name of ["y", "X"]) await testApp.call(member, files.createFolder, { body: { parent_id: folderId, name } });
      expect((await testApp.call(member, files.listFolder, { body: { file_id: folderId } })).response.data.map(({ name }) => name)).toEqual([
        "X",
        "y",
        "A.wav",
        "b.wav",
      ]);
    },
  },
};

export const findFiles: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({
    body: { team_id: home.team, group_id: home.group, start_date: "2020-01-01T00:00:00Z", end_date: "2100-01-01T00:00:00+02:00", limit: 5 },
  }),
  assertResponse: ({ response, fixtures: { home } }) => {
    expect(response.data.length).toBeLessThanOrEqual(5);
    expect(response.data.every((file: { is_folder: boolean; project_id: number }) => !file.is_folder && file.project_id === home.project)).toBe(true);
  },
  invalid: {
    "body.team_id": BAD_ID,
    "body.group_id": withoutNull(BAD_ID),
    "body.query": badSearchText(LIMITS.search_characters),
    "body.name": badLine(255),
    "body.tag": badLine(100),
    "body.status_id": withoutNull(BAD_ID),
    "body.start_date": BAD_TIMESTAMP,
    "body.end_date": BAD_TIMESTAMP,
    "body.limit": [0, -1, "5", 1.5],
    "body.offset": [-1, "0", 1.5],
  },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edgeCases: {
    "lists newest first in pages and date ranges, without projects the caller cannot see": async (fixtures) => {
      const { testApp, guest, home, next } = fixtures;
      testApp.clock.advance(60_000);
      const from = new Date(testApp.clock.now()).toISOString();
      const fileIds = [await createFile(fixtures, "one.wav"), await createFile(fixtures, "two.wav"), await createFile(fixtures, "three.wav")].reverse();
      const find = async (overrides: object) =>
        (await testApp.call(guest, files.findFiles, { body: { team_id: home.team, start_date: from, ...overrides } })).response.data.map(({ id }) => id);
      expect(await find({})).toEqual(fileIds);
      expect(await find({ limit: 2 })).toEqual(fileIds.slice(0, 2));
      expect(await find({ limit: 2, offset: 2 })).toEqual(fileIds.slice(2));
      expect(await find({ end_date: from })).toEqual([]);
      expect(await find({ group_id: null })).toEqual([]);
      expect(await find({ group_id: next.group })).toEqual([]);
    },
    "finds by words, name, tag and status, also together, and ignores members that it does not know": async (fixtures) => {
      const { testApp, guest, member, neighbor, home, next } = fixtures;
      testApp.clock.advance(60_000);
      const names = ["Übung Bounce 1.wav", "rough.wav", "100%.wav"];
      const [bounce, rough, percent] = await Promise.all(names.map((name) => upload(testApp, guest, { parent: home.folder, name: `${++counter} ${name}` })));
      const hidden = await upload(testApp, neighbor, { parent: next.folder, name: `${++counter} bounce.wav` });
      const [first] = (await testApp.call(guest, listFileStatuses, { body: { team_id: home.team } })).response.data;
      await testApp.call(member, files.setFileStatus, { body: { file_id: rough!, status_id: first!.id } });
      await testApp.database.write(async (tx) => {
        await tx.insertInto("file_tags").values({ project_id: home.project, file_id: bounce!, tag: "House" }).execute();
        await tx.insertInto("file_tags").values({ project_id: next.project, file_id: hidden, tag: "House" }).execute();
      });
      const start_date = new Date(testApp.clock.now()).toISOString();
      const find = async (body: object) => {
        const { response } = await testApp.callUntyped(guest, files.findFiles, { body: { team_id: home.team, start_date, ...body } });
        return (response as { data: { id: number }[] }).data.map(({ id }) => id).toSorted((a, b) => a - b);
      };
      expect(await find({ query: "ubung BOUNCE" })).toEqual([bounce]);
      expect([await find({ query: "bounce" }), await find({ query: "%" }), await find({ query: "_" })]).toEqual([[bounce], [percent], []]);
      expect(await find({ tag: "House" })).toEqual([bounce]);
      expect([await find({ tag: "House", status_id: first!.id }), await find({ status_id: first!.id, query: "rough" })]).toEqual([[], [rough]]);
      expect(await find({ status_id: null })).toEqual([bounce, percent].toSorted((a, b) => a! - b!));
      const { name } = (await testApp.call(guest, files.getFileInfo, { body: { file_id: rough! } })).response.common;
      expect([await find({ name: name.toUpperCase() }), await find({ name: "rough.wav" })]).toEqual([[rough], []]);
      expect(await find({ words: "nothing", shelf: 3, query: "rough" })).toEqual([rough]);
    },
  },
};

let counter = 0;
const newName = (): string => `Folder ${++counter}`;

export const createFolder: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { name: newName(), parent_id: home.root, removal_protection: true } }),
  assertResponse: ({ data, input, fixtures: { home, guest } }) =>
    expect(data).toMatchObject({
      name: (input.body as { name: string }).name,
      is_folder: true,
      parent_id: home.root,
      removal_protection: true,
      task_load_protection: false,
      size: 0,
      account_id: guest.id,
    }),
  invalid: { "body.name": BAD_NAME, "body.parent_id": BAD_ID, "body.removal_protection": BAD_BOOLEAN, "body.task_load_protection": BAD_BOOLEAN },
  rejectedRequests: [
    ["a folder in another project of the same team", ({ next }) => ({ body: { name: "x", parent_id: next.root } }), 404],
    ["a folder of another organization", ({ foreign }) => ({ body: { name: "x", parent_id: foreign.root } }), 404],
    ["a file", ({ home }) => ({ body: { name: "x", parent_id: home.file } }), 400],
  ],
  edgeCases: {
    "rejects a name that differs only in case or Unicode form": async ({ testApp, member, home }) => {
      const make = (name: string) => testApp.call(member, files.createFolder, { body: { name, parent_id: home.root } });
      expect((await make("Éclats")).status).toBe(200);
      for (const variant of ["éCLATS", "E\u0301clats", " Éclats "]) expect((await make(variant)).status, variant).toBe(409);
    },
    "the same Idempotency-Key creates one folder": async ({ testApp, member, home }) => {
      const make = () =>
        testApp.call(member, files.createFolder, { body: { name: "Once", parent_id: home.root } }, { headers: { "idempotency-key": "folder" } });
      expect((await make()).response.data.id).toBe((await make()).response.data.id);
    },
  },
};

export const getFolderUrl: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { file_id: home.folder } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data.url).toBe(`http://talkback.test:3000/projects/${home.project}/files/${home.folder}`),
  invalid: { "body.file_id": BAD_ID },
  rejectedRequests: [...inaccessibleFilesInBody(), ["a file", ({ home }) => ({ body: { file_id: home.file } }), 400]],
  edgeCases: {},
};

export const updateFolder: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { file_id: home.folder, name: "Mixes", removal_protection: false, task_load_protection: true } }),
  assertResponse: ({ data, fixtures: { home } }) =>
    expect(data).toMatchObject({ id: home.folder, name: "Mixes", removal_protection: false, task_load_protection: true }),
  invalid: { "body.file_id": BAD_ID, "body.name": BAD_NAME, "body.removal_protection": BAD_BOOLEAN, "body.task_load_protection": BAD_BOOLEAN },
  rejectedRequests: [...inaccessibleFilesInBody(), ["a file", ({ home }) => ({ body: { file_id: home.file, task_load_protection: true } }), 400]],
  edgeCases: {
    "the root folder cannot be renamed but can be protected": async ({ testApp, member, home }) => {
      expect((await testApp.call(member, files.updateFolder, { body: { file_id: home.root, name: "x" } })).status).toBe(403);
      expect(
        (await testApp.call(member, files.updateFolder, { body: { file_id: home.root, task_load_protection: true } })).response.data.task_load_protection,
      ).toBe(true);
    },
  },
};

export const renameFile: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ body: { file_id: await createFile(fixtures), name: `renamed ${++counter}.wav` } }),
  assertResponse: ({ data, input }) => expect(data.name).toBe((input.body as { name: string }).name),
  invalid: { "body.file_id": BAD_ID, "body.name": BAD_NAME },
  rejectedRequests: inaccessibleFilesInBody(() => ({ name: "x" })),
  edgeCases: {
    "rejects a taken name and accepts the current name in another case": async (fixtures) => {
      const { testApp, member } = fixtures;
      const id = await createFile(fixtures, `own ${++counter}.wav`);
      expect((await testApp.call(member, files.renameFile, { body: { file_id: id, name: "MIX.wav" } })).status).toBe(409);
      expect((await testApp.call(member, files.renameFile, { body: { file_id: id, name: `OWN ${counter}.wav` } })).response.data.name).toBe(
        `OWN ${counter}.wav`,
      );
    },
    "rejects a guest, even for their own file": async ({ testApp, guest, home }) => {
      const id = await upload(testApp, guest, { parent: home.folder, name: "guest.wav" });
      expect((await testApp.call(guest, files.renameFile, { body: { file_id: id, name: "x" } })).status).toBe(403);
    },
  },
};

export const deleteFile: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest, home }) => ({ body: { file_id: await upload(testApp, guest, { parent: home.folder }) } }),
  assertResponse: async ({ data, fixtures: { testApp, guest } }) => {
    expect((await testApp.call(guest, files.getFileInfo, { body: { file_id: data.id } })).status).toBe(404);
  },
  invalid: { "body.file_id": BAD_ID, "body.unless_sent": BAD_BOOLEAN },
  rejectedRequests: [...inaccessibleFilesInBody(), ["another person's file", ({ home }) => ({ body: { file_id: home.file } }), 403]],
  edgeCases: {
    "rejects the root folder": async ({ testApp, owner, home }) => {
      expect((await testApp.call(owner, files.deleteFile, { body: { file_id: home.root } })).status).toBe(403);
    },
    "with unless_sent keeps a file that a message carries": async (fixtures) => {
      const { testApp, member, home } = fixtures;
      const [sentId, unsentId] = [await createFile(fixtures), await createFile(fixtures)];
      await testApp.call(member, sendMessage, { body: { project_id: home.project, body: "", attachment_ids: [sentId] } });
      const remove = async (file_id: number, unless_sent: boolean) => (await testApp.call(member, files.deleteFile, { body: { file_id, unless_sent } })).status;
      expect([await remove(sentId, true), await remove(unsentId, true), await remove(sentId, false)]).toEqual([409, 200, 200]);
    },
    "simultaneous requests delete a file once": async (fixtures) => {
      const body = { file_id: await createFile(fixtures) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await fixtures.testApp.call(fixtures.member, files.deleteFile, { body })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    },
  },
};

export const uploadExternal: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { url: EXTERNAL_FILE_URL, parent_id: home.folder } }),
  assertResponse: async ({ response, fixtures: { testApp, guest } }) => {
    const { common } = (await testApp.call(guest, files.getFileInfo, { body: { file_id: response.file_id } })).response;
    expect(common).toMatchObject({ name: expect.stringMatching(/^take one/), size: 14 });
  },
  invalid: {
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
  rejectedRequests: [
    ["an upload into a folder in another project of the same team", ({ next }) => ({ body: { url: EXTERNAL_FILE_URL, parent_id: next.folder } }), 404],
    ["an upload into a folder of another organization", ({ foreign }) => ({ body: { url: EXTERNAL_FILE_URL, parent_id: foreign.folder } }), 404],
  ],
  edgeCases: {},
};
