import { StatementSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as chat from "../../contract/operations/chat.ts";
import * as files from "../../contract/operations/files.ts";
import * as projects from "../../contract/operations/projects.ts";
import { startCast, type Cast } from "../testing/cast.ts";
import { ENGINES } from "../testing/engines.ts";
import { processed, upload } from "../testing/files.ts";

describe.each(ENGINES)("attachments on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());
  const send = (ids: number[], more: object = {}) =>
    cast.world.call(cast.member, chat.sendMessage, { body: { project_id: cast.home.project, body: "", attachment_ids: ids, ...more } });
  const fresh = (name = "x.wav", bytes = "one") => upload(cast.world, cast.member, { parent: cast.home.folder, name, bytes });

  test("have every documented member, in the order they were sent, from the answer, the history and the live event alike", async () => {
    const waiting = await fresh("waiting.txt");
    const sent = (await send([waiting, cast.home.file])).answer.data;
    expect(sent.attachments).toEqual([
      expect.objectContaining({
        id: waiting,
        name: "waiting.txt",
        size: 3,
        url: `http://talkback.test:3000/api/v2/files/${waiting}/versions/1/original`,
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
        id: cast.home.file,
        transcoding_status: "transcoded",
        compressed_file_url: expect.stringMatching(/\/versions\/1\/compressed$/),
        kind: "audio",
        version: 1,
        failure: null,
        status: null,
        audio: { duration: 2.5, wave: [0.5], bpm: 120, key: "A minor", status: null },
      }),
    ]);
    for (const member of ["duration", "stills_url", "thumbnail_url", "thumbnail"]) expect(sent.attachments[0]).not.toHaveProperty(member);
    const { data } = (await cast.world.call(cast.guest, chat.chatHistory, { body: { project_id: cast.home.project, around_id: sent.id } })).answer;
    expect(data.find(({ id }) => id === sent.id)?.attachments).toEqual(sent.attachments);
    const event = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", `project:${cast.home.project}`)
      .where("type", "=", "message.created")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(event.data).attachments).toEqual(sent.attachments);
  });

  test("show the version that was sent, whatever comes later", async () => {
    const id = await fresh("pinned.wav", "one");
    const sent = (await send([id])).answer.data;
    await upload(cast.world, cast.member, { versionOf: id, bytes: "second" });
    const { data } = (await cast.world.call(cast.member, chat.chatHistory, { body: { project_id: cast.home.project, around_id: sent.id } })).answer;
    expect(data.find((message) => message.id === sent.id)?.attachments).toMatchObject([
      { id, version: 1, size: 3, url: expect.stringMatching(/versions\/1\/original$/) },
    ]);
  });

  test("tell their file's status whatever their kind, and a change of it reaches each version that was sent", async () => {
    const { world, home } = cast;
    const statuses = await world.database.read.selectFrom("file_statuses").selectAll().where("team_id", "=", home.team).orderBy("position").execute();
    const id = await fresh("notes.txt");
    const first = (await send([id])).answer.data;
    await upload(world, cast.member, { versionOf: id, bytes: "second" });
    const second = (await send([id])).answer.data;
    await world.call(cast.member, files.setFileStatus, { body: { file_id: id, status_id: statuses[3]?.id ?? 0 } });
    const { id: statusId, title, color, position } = statuses[3]!;
    const approved = { id: statusId, title, color, position };
    const { data } = (await world.call(cast.guest, chat.chatHistory, { body: { project_id: home.project, after_id: first.id - 1 } })).answer;
    expect(data.flatMap(({ attachments }) => attachments).filter((one) => one.id === id)).toMatchObject([
      { version: 1, status: approved },
      { version: 2, status: approved },
    ]);
    const told = await world.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `project:${home.project}`)
      .where("type", "=", "attachment.updated")
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(told.map((event) => JSON.parse(event.data)).toReversed()).toMatchObject([
      { id, version: 1, kind: "document", status: approved },
      { id, version: 2, status: approved },
    ]);
    expect(second.attachments[0]).toMatchObject({ version: 2, status: null });
  });

  test("must be files of the project, each once; else nothing is sent", async () => {
    const { world, home, next, foreign } = cast;
    const before = (await world.call(cast.member, chat.chatHistory, { body: { project_id: home.project, limit: 200 } })).answer.data.length;
    const deleted = await fresh("deleted.wav");
    await world.call(cast.member, files.deleteFile, { body: { file_id: deleted } });
    for (const ids of [[next.file], [foreign.file], [home.folder], [home.root], [999_999], [deleted], [home.file, home.file], [home.file, next.file]]) {
      const reply = await send(ids);
      expect([reply.status, reply.problem.errors?.[0]?.path], String(ids)).toEqual([400, "attachment_ids"]);
    }
    expect((await send([home.file, await fresh()], { is_audio_message: true })).status).toBe(400);
    expect((await world.call(cast.member, chat.chatHistory, { body: { project_id: home.project, limit: 200 } })).answer.data).toHaveLength(before);
  });

  test("belong to the message that a client_id stands for", async () => {
    const [one, two] = [await fresh(), await fresh()];
    const client_id = `attachments-${engine}`;
    const first = (await send([one], { client_id })).answer.data;
    expect((await send([one], { client_id })).answer.data).toEqual(first);
    expect((await send([two], { client_id })).status).toBe(409);
    expect((await send([], { client_id, body: "x" })).status).toBe(409);
  });
});

describe("reading what carries files", { timeout: 60_000 }, () => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast("sqlite")), 60_000);
  afterAll(() => cast.world.close());
  afterEach(() => vi.restoreAllMocks());

  /** Statements that read, in the time of this work. */
  async function statements(work: () => Promise<unknown>): Promise<number> {
    const spy = vi.spyOn(StatementSync.prototype, "all");
    await work();
    const count = spy.mock.calls.length;
    spy.mockRestore();
    return count;
  }

  test("takes as many statements for two hundred files as for one", async () => {
    const { world, owner, home } = cast;
    const make = async (name: string, messages: number, each: number) => {
      const { id, root_folder_id } = (await world.call(owner, projects.createProject, { body: { name, team_id: home.team } })).answer.data;
      const parent = root_folder_id ?? 0;
      for (let message = 0; message < messages; message += 1) {
        const ids = [];
        for (let file = 0; file < each; file += 1) ids.push(await upload(world, owner, { parent, name: `${message}-${file}.wav` }));
        const [first = 0] = ids;
        await processed(world, first);
        await world.call(owner, files.setFileStatus, {
          body: {
            file_id: first,
            status_id: (
              await world.database.read
                .selectFrom("file_statuses")
                .select("id")
                .where("team_id", "=", home.team)
                .orderBy("id", "desc")
                .executeTakeFirstOrThrow()
            ).id,
          },
        });
        await world.call(owner, chat.sendMessage, { body: { project_id: id, body: "", attachment_ids: ids } });
      }
      return { id, parent };
    };
    const [small, large] = [await make("small", 1, 1), await make("large", 20, 10)];
    const history = (id: number) => world.call(owner, chat.chatHistory, { body: { project_id: id } });
    const list = (id: number) => world.call(owner, files.listFolder, { body: { file_id: id } });
    // The first time of each writes when the session was last seen, and prepares.
    await history(small.id);
    await list(small.parent);
    expect((await history(large.id)).answer.data.flatMap(({ attachments }) => attachments)).toHaveLength(200);
    expect(await statements(() => history(large.id))).toBe(await statements(() => history(small.id)));
    expect((await list(large.parent)).answer.data).toHaveLength(200);
    expect(await statements(() => list(large.parent))).toBe(await statements(() => list(small.parent)));
    expect(await statements(() => history(large.id))).toBeLessThanOrEqual(7);
    // What a change tells of a file: as many for one message that carries it as for twenty.
    const [often, once] = [await upload(world, owner, { parent: large.parent }), await upload(world, owner, { parent: large.parent })];
    await world.call(owner, chat.sendMessage, { body: { project_id: large.id, body: "", attachment_ids: [once, often] } });
    for (let message = 1; message < 20; message += 1)
      await world.call(owner, chat.sendMessage, { body: { project_id: large.id, body: "", attachment_ids: [often] } });
    const [status] = await world.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", home.team).orderBy("id").execute();
    const change = (file_id: number) => world.call(owner, files.setFileStatus, { body: { file_id, status_id: status?.id ?? 0 } });
    expect(await statements(() => change(often))).toBe(await statements(() => change(once)));
  });
});
