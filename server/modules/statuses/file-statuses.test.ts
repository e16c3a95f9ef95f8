import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import type { FileStatus } from "../../../contract/records.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFailingDatabase } from "../../testing/failing-database.ts";
import { openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("webhook events of files on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  const breaker = createFailingDatabase(engine);
  let statuses: FileStatus[];
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { connect: breaker.connect });
    const rows = await fixtures.testApp.database.read
      .selectFrom("file_statuses")
      .select(["id", "title", "color", "position", "is_final"])
      .where("team_id", "=", fixtures.home.team)
      .orderBy("position")
      .execute();
    statuses = rows.map((row) => ({ ...row, is_final: row.is_final === 1 }));
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const outboundEvents = async (type: WebhookEventType, fileId: number): Promise<any[]> => {
    const rows = await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", type).execute();
    return rows.map((row) => ({ row, data: JSON.parse(row.data) })).filter(({ data }) => data.id === fileId);
  };
  const liveUpdates = async (fileId: number) =>
    (
      await fixtures.testApp.database.read
        .selectFrom("events")
        .selectAll()
        .where("topic", "=", `project:${fixtures.home.project}`)
        .where("type", "=", "file.updated")
        .orderBy("seq")
        .execute()
    )
      .map(({ data }) => JSON.parse(data))
      .filter(({ id }) => id === fileId);
  const uploadFile = (name = "status.wav") => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name });
  const setStatus = (file_id: number, status_id: number, by = fixtures.member) =>
    fixtures.testApp.call(by, files.setFileStatus, { body: { file_id, status_id } });
  const statusIdAt = (index: number): number => statuses[index]?.id ?? 0;

  test("a new team starts with the default statuses", () => {
    expect(statuses.map(({ title }) => title)).toEqual(["In progress", "In review", "Changes requested", "Approved"]);
    expect(statuses.filter(({ is_final }) => is_final).map(({ title }) => title)).toEqual(["Approved"]);
  });

  test("file.status_changed carries every documented member, of the documented type", async () => {
    const id = await uploadFile("Lead vox.wav");
    const { name } = (await setStatus(id, statusIdAt(1))).response.data;
    fixtures.testApp.clock.advance(5_000);
    await setStatus(id, statusIdAt(3));
    const [first, second] = await outboundEvents("file.status_changed", id);
    const documented = {
      object: "file",
      id,
      name,
      is_folder: false,
      parent_id: fixtures.home.folder,
      size: 15,
      url: `http://talkback.test:3000/api/v2/files/${id}/versions/1/original`,
      removal_protection: false,
      task_load_protection: false,
      team_id: fixtures.home.team,
      old_status: statuses[1],
      new_status: statuses[3],
      change_status_time: new Date(fixtures.testApp.clock.now()).toISOString(),
      changed_by_account_id: fixtures.member.id,
    };
    const extensions = {
      project_id: fixtures.home.project,
      revision: expect.any(Number),
      status: statuses[3],
      kind: "document",
      version: 1,
      duration: 0,
      transcoding_status: "waiting",
      account_id: fixtures.owner.id,
      created_at: expect.any(String),
    };
    expect(second.data).toEqual({ ...documented, ...extensions });
    expect(first.data).toMatchObject({ old_status: null, new_status: statuses[1] });
    expect(second.row).toMatchObject({
      organisation_id: 1,
      created_at: fixtures.testApp.clock.now(),
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });

  test("file.status_changed, history and live event are written only if the status changed", async () => {
    const id = await uploadFile();
    for (const index of [2, 2, 2, 0, 0]) expect((await setStatus(id, statusIdAt(index))).status).toBe(200);
    expect(await outboundEvents("file.status_changed", id)).toHaveLength(2);
    expect(await fixtures.testApp.database.read.selectFrom("status_changes").select("id").where("file_id", "=", id).execute()).toHaveLength(2);
    expect((await liveUpdates(id)).map(({ status: now }) => now?.title)).toEqual(["Changes requested", "In progress"]);
  });

  test("a rejected or rolled-back change writes no event", async () => {
    const id = await uploadFile();
    expect((await setStatus(id, statusIdAt(0), fixtures.guest)).status).toBe(403);
    expect((await setStatus(id, statusIdAt(0), fixtures.neighbor)).status).toBe(404);
    expect((await setStatus(id, 999_999)).status).toBe(400);
    for (const [operation, body] of [
      [files.setFileStatus, { file_id: id, status_id: statusIdAt(0) }],
      [files.renameFile, { file_id: id, name: "Never.wav" }],
    ] as const) {
      expect((await breaker.withFailingCommits(() => fixtures.testApp.callUntyped(fixtures.member, operation, { body }))).status).toBe(500);
    }
    const before = (await Readable.from(openStorage(fixtures.testApp).list()).toArray()).length;
    const uploadRequest = { query: { parent_id: fixtures.home.folder, name: "never.wav" }, bytes: Buffer.from("x") };
    expect((await breaker.withFailingCommits(() => fixtures.testApp.callUntyped(fixtures.member, files.uploadFile, uploadRequest))).status).toBe(500);
    expect((await Readable.from(openStorage(fixtures.testApp).list()).toArray()).length).toBe(before);
    expect(await outboundEvents("file.renamed", id)).toEqual([]);
    expect(await liveUpdates(id)).toEqual([]);
    expect(await fixtures.testApp.database.read.selectFrom("outbound_events").select("id").where("data", "like", "%never.wav%").execute()).toEqual([]);
    expect(await outboundEvents("file.status_changed", id)).toEqual([]);
    expect((await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.status).toBeNull();
  });

  test("twenty simultaneous changes form one chain from each old status to the next", async () => {
    const id = await uploadFile();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => setStatus(id, statusIdAt(index % 4), index % 2 === 0 ? fixtures.member : fixtures.admin)),
    );
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    const history = await fixtures.testApp.database.read.selectFrom("status_changes").selectAll().where("file_id", "=", id).orderBy("id").execute();
    let before: number | null = null;
    for (const change of history) {
      expect(change.old_status_id).toBe(before);
      expect(change.new_status_id).not.toBe(before);
      before = change.new_status_id;
    }
    const events = await outboundEvents("file.status_changed", id);
    expect(events.map(({ data }) => [data.old_status?.id ?? null, data.new_status.id]).sort()).toEqual(
      history.map((change) => [change.old_status_id, change.new_status_id]).sort(),
    );
    expect((await liveUpdates(id)).map(({ status: now }) => now.id)).toEqual(history.map((change) => change.new_status_id));
    const { common } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response;
    expect(common.status).toEqual(statuses.find((candidate) => candidate.id === before));
  });

  test("an attachment in the chat shows the status of its file", async () => {
    const id = fixtures.home.file;
    const sent = (
      await fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "", attachment_ids: [id] } })
    ).response.data;
    expect(sent.attachments[0]?.audio?.status).toBeNull();
    await setStatus(id, statusIdAt(3));
    const { data } = (await fixtures.testApp.call(fixtures.guest, chat.chatHistory, { body: { project_id: fixtures.home.project, around_id: sent.id } }))
      .response;
    expect(data.find((message) => message.id === sent.id)?.attachments[0]?.audio?.status).toEqual(statuses[3]);
  });
});
