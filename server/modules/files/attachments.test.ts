import { StatementSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("attachments on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  const send = (ids: number[], overrides: object = {}) =>
    fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "", attachment_ids: ids, ...overrides } });
  const uploadFile = (name = "x.wav", bytes = "one") => upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes });

  test("have every documented member in the order sent, equally in response, history and live event", async () => {
    const unprocessed = await uploadFile("waiting.txt");
    const sentMessage = (await send([unprocessed, fixtures.home.file])).response.data;
    expect(sentMessage.attachments).toEqual([
      expect.objectContaining({
        id: unprocessed,
        name: "waiting.txt",
        size: 3,
        url: `http://talkback.test:3000/api/v2/files/${unprocessed}/versions/1/original`,
        compressed_file_url: null,
        has_unread_comments: false,
        is_blind_drop: false,
        is_shared: false,
        transcoding_status: "waiting",
        kind: "document",
        version: 1,
        failure: null,
        status: null,
      }),
      expect.objectContaining({
        id: fixtures.home.file,
        transcoding_status: "transcoded",
        compressed_file_url: expect.stringMatching(/\/versions\/1\/compressed$/),
        kind: "audio",
        version: 1,
        failure: null,
        status: null,
        audio: { duration: 2.5, wave: [0.5], bpm: 120, key: "A minor", status: null },
      }),
    ]);
    for (const member of ["duration", "stills_url", "thumbnail_url", "thumbnail"]) expect(sentMessage.attachments[0]).not.toHaveProperty(member);
    const { data } = (await fixtures.testApp.call(fixtures.guest, chat.chatHistory, { body: { project_id: fixtures.home.project, around_id: sentMessage.id } }))
      .response;
    expect(data.find(({ id }) => id === sentMessage.id)?.attachments).toEqual(sentMessage.attachments);
    const event = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `project:${fixtures.home.project}`)
      .where("type", "=", "message.created")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(event.data).attachments).toEqual(sentMessage.attachments);
  });

  test("keep the version that was sent when newer ones follow", async () => {
    const id = await uploadFile("pinned.wav", "one");
    const sentMessage = (await send([id])).response.data;
    await upload(fixtures.testApp, fixtures.member, { versionOf: id, bytes: "second" });
    const { data } = (
      await fixtures.testApp.call(fixtures.member, chat.chatHistory, { body: { project_id: fixtures.home.project, around_id: sentMessage.id } })
    ).response;
    expect(data.find((message) => message.id === sentMessage.id)?.attachments).toMatchObject([
      { id, version: 1, size: 3, url: expect.stringMatching(/versions\/1\/original$/) },
    ]);
  });

  test("have their file's status whatever their kind, and a status change reaches every sent version", async () => {
    const { testApp, home } = fixtures;
    const statuses = await testApp.database.read.selectFrom("file_statuses").selectAll().where("team_id", "=", home.team).orderBy("position").execute();
    const id = await uploadFile("notes.txt");
    const first = (await send([id])).response.data;
    await upload(testApp, fixtures.member, { versionOf: id, bytes: "second" });
    const second = (await send([id])).response.data;
    await testApp.call(fixtures.member, files.setFileStatus, { body: { file_id: id, status_id: statuses[3]?.id ?? 0 } });
    const { id: statusId, title, color, position } = statuses[3]!;
    const approved = { id: statusId, title, color, position };
    const { data } = (await testApp.call(fixtures.guest, chat.chatHistory, { body: { project_id: home.project, after_id: first.id - 1 } })).response;
    expect(data.flatMap(({ attachments }) => attachments).filter((attachment) => attachment.id === id)).toMatchObject([
      { version: 1, status: approved },
      { version: 2, status: approved },
    ]);
    const loggedEvents = await testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `project:${home.project}`)
      .where("type", "=", "attachment.updated")
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(loggedEvents.map((event) => JSON.parse(event.data)).toReversed()).toMatchObject([
      { id, version: 1, kind: "document", status: approved },
      { id, version: 2, status: approved },
    ]);
    expect(second.attachments[0]).toMatchObject({ version: 2, status: null });
  });

  test("must be distinct files of the project, otherwise nothing is sent", async () => {
    const { testApp, home, next, foreign } = fixtures;
    const before = (await testApp.call(fixtures.member, chat.chatHistory, { body: { project_id: home.project, limit: 200 } })).response.data.length;
    const deleted = await uploadFile("deleted.wav");
    await testApp.call(fixtures.member, files.deleteFile, { body: { file_id: deleted } });
    for (const ids of [[next.file], [foreign.file], [home.folder], [home.root], [999_999], [deleted], [home.file, home.file], [home.file, next.file]]) {
      const reply = await send(ids);
      expect([reply.status, reply.problem.errors?.[0]?.path], String(ids)).toEqual([400, "attachment_ids"]);
    }
    expect((await send([home.file, await uploadFile()], { is_audio_message: true })).status).toBe(400);
    expect((await testApp.call(fixtures.member, chat.chatHistory, { body: { project_id: home.project, limit: 200 } })).response.data).toHaveLength(before);
  });

  test("are part of the request that a client_id identifies", async () => {
    const [firstFile, secondFile] = [await uploadFile(), await uploadFile()];
    const client_id = `attachments-${engine}`;
    const first = (await send([firstFile], { client_id })).response.data;
    expect((await send([firstFile], { client_id })).response.data).toEqual(first);
    expect((await send([secondFile], { client_id })).status).toBe(409);
    expect((await send([], { client_id, body: "x" })).status).toBe(409);
  });
});

describe("reading messages with files", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures("sqlite")), 60_000);
  afterAll(() => fixtures.testApp.close());
  afterEach(() => vi.restoreAllMocks());

  /** Returns the number of read statements that `work` executes. */
  async function countStatements(work: () => Promise<unknown>): Promise<number> {
    const spy = vi.spyOn(StatementSync.prototype, "all");
    await work();
    const count = spy.mock.calls.length;
    spy.mockRestore();
    return count;
  }

  test("needs no more statements for more files, apart from the batches of a folder", async () => {
    const { testApp, owner, home } = fixtures;
    const createProjectWithFiles = async (name: string, messageCount: number, filesPerMessage: number) => {
      const { id, root_folder_id } = (await testApp.call(owner, projects.createProject, { body: { name, team_id: home.team } })).response.data;
      const parent = root_folder_id ?? 0;
      for (let message = 0; message < messageCount; message += 1) {
        const ids = [];
        for (let file = 0; file < filesPerMessage; file += 1) ids.push(await upload(testApp, owner, { parent, name: `${message}-${file}.wav` }));
        const [first = 0] = ids;
        await markProcessed(testApp, first);
        await testApp.call(owner, files.setFileStatus, {
          body: {
            file_id: first,
            status_id: (
              await testApp.database.read
                .selectFrom("file_statuses")
                .select("id")
                .where("team_id", "=", home.team)
                .orderBy("id", "desc")
                .executeTakeFirstOrThrow()
            ).id,
          },
        });
        await testApp.call(owner, chat.sendMessage, { body: { project_id: id, body: "", attachment_ids: ids } });
      }
      return { id, parent };
    };
    const [small, large] = [await createProjectWithFiles("small", 1, 1), await createProjectWithFiles("large", 20, 10)];
    const history = (id: number) => testApp.call(owner, chat.chatHistory, { body: { project_id: id } });
    const list = (id: number) => testApp.call(owner, files.listFolder, { body: { file_id: id } });
    // The first calls also update `last_seen_at` and prepare statements.
    await history(small.id);
    await list(small.parent);
    expect((await history(large.id)).response.data.flatMap(({ attachments }) => attachments)).toHaveLength(200);
    expect(await countStatements(() => history(large.id))).toBe(await countStatements(() => history(small.id)));
    expect((await list(large.parent)).response.data).toHaveLength(200);
    // A folder's page is loaded in batches of 50.
    expect(await countStatements(() => list(large.parent))).toBeLessThanOrEqual(4 * (await countStatements(() => list(small.parent))));
    expect(await countStatements(() => history(large.id))).toBeLessThanOrEqual(7);
    // A change of a file runs as many statements for one message that carries it as for twenty.
    const [attachedOften, attachedOnce] = [await upload(testApp, owner, { parent: large.parent }), await upload(testApp, owner, { parent: large.parent })];
    await testApp.call(owner, chat.sendMessage, { body: { project_id: large.id, body: "", attachment_ids: [attachedOnce, attachedOften] } });
    for (let message = 1; message < 20; message += 1)
      await testApp.call(owner, chat.sendMessage, { body: { project_id: large.id, body: "", attachment_ids: [attachedOften] } });
    const [status] = await testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", home.team).orderBy("id").execute();
    const setStatus = (file_id: number) => testApp.call(owner, files.setFileStatus, { body: { file_id, status_id: status?.id ?? 0 } });
    expect(await countStatements(() => setStatus(attachedOften))).toBe(await countStatements(() => setStatus(attachedOnce)));
  });
});
