/** Tests renames: the webhook event of each, and concurrent renames. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("renames on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const outboundEvents = async (type: WebhookEventType, fileId: number): Promise<any[]> => {
    const rows = await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", type).execute();
    return rows.map((row) => ({ row, data: JSON.parse(row.data) })).filter(({ data }) => data.id === fileId);
  };
  const uploadFile = (name: string) => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name });

  test("file.renamed carries the old and the new name, and is not written if the name stays", async () => {
    const id = await uploadFile("Before.wav");
    const rename = (name: string) => fixtures.testApp.call(fixtures.member, files.renameFile, { body: { file_id: id, name } });
    const before = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.name;
    await rename("After.wav");
    await rename(" After.wav ");
    expect((await rename("MIXES/x")).status).toBe(400);
    const events = await outboundEvents("file.renamed", id);
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        object: "file",
        id,
        name: "After.wav",
        old_name: before,
        new_name: "After.wav",
        changed_by_account_id: fixtures.member.id,
        renamed_time: expect.stringMatching(/Z$/),
        team_id: fixtures.home.team,
      },
    ]);
    expect(Object.keys(events[0].data)).toEqual(
      expect.arrayContaining(["is_folder", "parent_id", "size", "url", "removal_protection", "task_load_protection"]),
    );
  });

  test("twelve simultaneous renames form one chain of names", async () => {
    const id = await uploadFile("Chain.wav");
    const start = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.name;
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        fixtures.testApp.call(fixtures.member, files.renameFile, { body: { file_id: id, name: `Chain ${engine} ${index}.wav` } }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(12).fill(200));
    const newNameByOld = new Map((await outboundEvents("file.renamed", id)).map(({ data }) => [data.old_name as string, data.new_name as string]));
    expect(newNameByOld.size).toBe(12);
    let name = start;
    for (let step = 0; step < 12; step += 1) name = newNameByOld.get(name) ?? "broken";
    expect(name).toBe((await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.name);
  });

  test("of two simultaneous renames to one name one succeeds and the other returns 409", async () => {
    const [left, right] = [await uploadFile("Left.wav"), await uploadFile("Right.wav")];
    const replies = await Promise.all(
      [left, right].map((file_id) => fixtures.testApp.call(fixtures.member, files.renameFile, { body: { file_id, name: `Wanted ${engine}.wav` } })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
  });

  test("file.renamed is written for a folder too, with its protections", async () => {
    const id = (await fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name: `Stems ${engine}` } })).response
      .data.id;
    await fixtures.testApp.call(fixtures.member, files.updateFolder, { body: { file_id: id, name: `Stems of ${engine}`, removal_protection: true } });
    expect((await outboundEvents("file.renamed", id)).map(({ data }) => data)).toMatchObject([
      { is_folder: true, size: 0, removal_protection: true, old_name: `Stems ${engine}` },
    ]);
  });
});
