/** Tests of deleted files whose status is deleted: they stay unchanged, and are restored with a status that still exists. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as deletion from "../../../contract/operations/deleted-projects.ts";
import { updateProject } from "../../../contract/operations/projects.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { registerEndpoint } from "../../testing/webhooks.ts";
import { enqueueWebhookEvent } from "../webhooks/webhook-events.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe.each(ENGINES)("statuses of restored files on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const create = async (title: string) =>
    (await fixtures.testApp.call(fixtures.admin, statuses.createFileStatus, { params: { team_id: fixtures.home.team }, body: { title, color: 2 } })).response
      .data;
  const remove = async (id: number, replacement?: number) =>
    (
      await fixtures.testApp.call(fixtures.admin, statuses.deleteFileStatus, {
        params: { status_id: id },
        query: replacement === undefined ? {} : { replacement_id: String(replacement) },
      })
    ).response;
  const row = (id: number) =>
    fixtures.testApp.database.read.selectFrom("files").select(["status_id", "status_rank"]).where("id", "=", id).executeTakeFirstOrThrow();
  const history = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.guest, files.listStatusChanges, { params: { file_id } })).response.data.map((change) => [
      change.old_status?.id ?? null,
      change.new_status.id,
      change.changed_by_account_id,
    ]);
  const outboundChanges = async (file: number) =>
    (await fixtures.testApp.database.read.selectFrom("outbound_events").select("data").where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data))
      .filter(({ id }) => id === file)
      .map((data) => [data.old_status?.id ?? null, data.new_status.id, data.changed_by_account_id]);

  it("a deleted status becomes its final replacement, with history and event, or none", async () => {
    const { testApp, owner, member, guest, home } = fixtures;
    const folder = (await testApp.call(owner, files.createFolder, { body: { parent_id: home.folder, name: "Trashed" } })).response.data.id;
    const [moved, bare, kept] = [
      await upload(testApp, owner, { parent: folder, name: "moved.wav" }),
      await upload(testApp, owner, { parent: folder, name: "bare.wav" }),
      await upload(testApp, owner, { parent: folder, name: "kept.wav" }),
    ];
    const [first, second, third, alone] = [await create("First"), await create("Second"), await create("Third"), await create("Alone")];
    for (const [file_id, status_id] of [
      [moved, first.id],
      [bare, alone.id],
      [kept, third.id],
    ] as const)
      await testApp.call(member, files.setFileStatus, { body: { file_id, status_id } });
    await testApp.call(owner, files.deleteFile, { body: { file_id: folder } });
    await remove(first.id, second.id);
    await remove(second.id, third.id);
    await remove(alone.id);
    // Deleted files keep their status.
    expect(await row(moved)).toEqual({ status_id: first.id, status_rank: first.position });
    expect(await outboundChanges(moved)).toHaveLength(1);
    await testApp.call(owner, view.restoreFiles, { body: { file_ids: [folder] } });
    expect(await row(moved)).toEqual({ status_id: third.id, status_rank: third.position });
    const changes = [
      [null, first.id, member.id],
      [first.id, third.id, owner.id],
    ];
    expect([await outboundChanges(moved), await history(moved)]).toEqual([changes, changes.toReversed()]);
    expect([await row(bare), await row(kept)]).toEqual([
      { status_id: null, status_rank: -1 },
      { status_id: third.id, status_rank: third.position },
    ]);
    expect([await outboundChanges(bare), await outboundChanges(kept)]).toEqual([[[null, alone.id, member.id]], [[null, third.id, member.id]]]);
    const { status } = (await testApp.call(guest, files.getFileInfo, { body: { file_id: bare } })).response.common;
    expect(status).toBeNull();
  });

  it("files of a deleted project keep theirs until it is restored, and nobody hears of it", async () => {
    const { testApp, owner, member, home } = fixtures;
    const params = { project_id: home.project };
    const file_id = await upload(testApp, member, { parent: home.folder, name: "hidden.wav" });
    const [from, to] = [await create("Going"), await create("Staying")];
    await testApp.call(member, files.setFileStatus, { body: { file_id, status_id: from.id } });
    await registerEndpoint(testApp, owner, { event_types: ["file.status_changed"] });
    await testApp.call(owner, deletion.deleteProject, { params });
    await remove(from.id, to.id);
    expect(await row(file_id)).toEqual({ status_id: from.id, status_rank: from.position });
    expect(await outboundChanges(file_id)).toHaveLength(1);
    await testApp.call(owner, deletion.restoreProject, { params });
    expect(await row(file_id)).toEqual({ status_id: to.id, status_rank: to.position });
    const changes = [
      [null, from.id, member.id],
      [from.id, to.id, owner.id],
    ];
    expect([await outboundChanges(file_id), await history(file_id)]).toEqual([changes, changes.toReversed()]);
  });

  it("an event of a deleted project waits for its restoring, and nobody hears of its delivery", async () => {
    const { testApp, owner, home } = fixtures;
    const { database, clock, app } = testApp;
    const params = { project_id: home.project };
    await registerEndpoint(testApp, owner, { event_types: ["file.uploaded"] });
    const heard = async () => (await database.read.selectFrom("events").select("seq").where("type", "=", "delivery.updated").execute()).length;
    const waiting = () => database.read.selectFrom("deliveries").select("next_attempt_at").where("event_type", "=", "file.uploaded").execute();
    await testApp.call(owner, deletion.deleteProject, { params });
    const before = await heard();
    await database.write((tx) =>
      enqueueWebhookEvent(tx, app.deps, 1, "file.uploaded", { ...params, id: home.file, name: "late.wav", version: 1, kind: "audio" }),
    );
    expect([await heard(), await waiting()]).toEqual([before, [{ next_attempt_at: null }]]);
    await testApp.call(owner, deletion.restoreProject, { params });
    expect(await waiting()).toEqual([{ next_attempt_at: clock.now() }]);
  });

  it("files of an archived project get the replacement", async () => {
    const { testApp, member, home } = fixtures;
    const archive = (archived: boolean) => testApp.call(member, updateProject, { params: { project_id: home.project }, body: { archived } });
    const file_id = await upload(testApp, member, { parent: home.folder, name: "archived.wav" });
    const [from, to] = [await create("Old"), await create("New")];
    await testApp.call(member, files.setFileStatus, { body: { file_id, status_id: from.id } });
    await archive(true);
    expect((await testApp.call(fixtures.admin, statuses.deleteFileStatus, { params: { status_id: from.id }, query: {} })).status).toBe(409);
    await remove(from.id, to.id);
    expect(await row(file_id)).toEqual({ status_id: to.id, status_rank: to.position });
    await archive(false);
  });
});
