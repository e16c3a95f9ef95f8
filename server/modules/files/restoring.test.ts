import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, openStorage, upload, currentVersion } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createSession } from "../../testing/people.ts";
import { MAX_SEPARATE_EVENTS } from "./file-events.ts";

describe.each(ENGINES)("deleting and restoring files on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  let nameCounter = 0;
  const folder = (name = `Folder ${++nameCounter}`, parent = fixtures.home.root) => createFolder(fixtures.testApp, fixtures.member, parent, name);
  const file = (name: string, parent: number) => upload(fixtures.testApp, fixtures.member, { parent, name, bytes: "x" });
  const remove = (...file_ids: number[]) => fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids } });
  const restore = (...file_ids: number[]) => fixtures.testApp.call(fixtures.member, view.restoreFiles, { body: { file_ids } });
  const rowOf = (id: number) => fixtures.testApp.database.read.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const areLive = async (...ids: number[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).deleted_at === null));
  const topic = () => `project:${fixtures.home.project}`;
  const latestSeq = async () =>
    (await fixtures.testApp.database.read.selectFrom("topics").select("seq").where("topic", "=", topic()).executeTakeFirstOrThrow()).seq;
  const eventsSince = async (seq: number) =>
    (
      await fixtures.testApp.database.read
        .selectFrom("events")
        .select(["type", "data"])
        .where("topic", "=", topic())
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute()
    ).map(({ type, data }): [string, number] => [type, (JSON.parse(data) as { id: number }).id]);

  test("restores what was deleted together but not what was deleted before, with one event for a folder", async () => {
    const outer = await folder();
    const inner = await folder("Inner", outer);
    const [early, a, b] = [await file("early.wav", inner), await file("a.wav", outer), await file("b.wav", inner)];
    await remove(early);
    const beforeRemoval = await latestSeq();
    expect((await remove(outer, b)).response.data).toMatchObject({ file_ids: [outer], count: 4 });
    expect(await eventsSince(beforeRemoval)).toEqual([["file.deleted", outer]]);
    expect(await areLive(outer, inner, early, a, b)).toEqual([false, false, false, false, false]);
    const beforeReturn = await latestSeq();
    expect((await restore(outer)).response.data).toMatchObject([{ id: outer, parent_id: fixtures.home.root, item_count: 2 }]);
    expect(await eventsSince(beforeReturn)).toEqual([["file.created", outer]]);
    expect(await areLive(outer, inner, early, a, b)).toEqual([true, true, false, true, true]);
    // A repeated restore changes nothing and publishes no event.
    const beforeRepeat = await latestSeq();
    expect((await restore(outer)).status).toBe(200);
    expect(await eventsSince(beforeRepeat)).toEqual([]);
    await restore(early);
    expect((await rowOf(early)).parent_id).toBe(inner);
  });

  test("notifies assignees of affected tasks on deletion and restore, and marks the file event as restored", async () => {
    const folderId = await folder();
    const fileId = await file("notes.wav", folderId);
    const countTaskEvents = async () =>
      (await fixtures.testApp.database.read.selectFrom("events").select("type").where("topic", "=", `account:${fixtures.guest.id}`).execute()).filter(
        ({ type }) => type === "tasks.changed",
      ).length;
    const body = { file_id: fileId, tasks: [{ title: "Listen", assignee_account_id: fixtures.guest.id }] };
    expect((await fixtures.testApp.call(fixtures.member, tasks.createTasks, { body })).status).toBe(200);
    const before = await countTaskEvents();
    await remove(folderId);
    expect(await countTaskEvents()).toBe(before + 1);
    await restore(folderId);
    expect(await countTaskEvents()).toBe(before + 2);
    const last = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "=", "file.created")
      .orderBy("created_at", "desc")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(last.data)).toMatchObject({ id: folderId, restored: true });
  });

  test("deletes nothing if a file at any depth is protected", async () => {
    const [outer, beside] = [await folder(), await file("beside.wav", fixtures.home.root)];
    const inner = await folder("Inner", outer);
    const protectedFile = await file("kept.wav", inner);
    await fixtures.testApp.call(fixtures.member, view.updateFile, { params: { file_id: protectedFile }, body: { removal_protection: true } });
    const reply = await remove(beside, outer);
    expect([reply.status, reply.problem.detail]).toEqual([409, '"kept.wav" in it is protected from removal. Remove the protection first.']);
    expect((await remove(beside, protectedFile)).problem.detail).toBe('"kept.wav" is protected from removal. Remove the protection first.');
    expect(await areLive(beside, outer, inner, protectedFile)).toEqual([true, true, true, true]);
    expect((await remove(beside)).status).toBe(200);
  });

  test("restores into the nearest existing folder and numbers a taken name", async () => {
    const outer = await folder();
    const inner = await folder("Inner", outer);
    const lost = await file("Mix.wav", inner);
    await remove(inner);
    await file("mIX.wav", outer);
    expect((await restore(lost)).response.data).toMatchObject([{ name: "Mix (2).wav", parent_id: outer }]);
    // The folder can still be restored by itself, without the file that was restored earlier.
    expect((await restore(inner)).response.data).toMatchObject([{ id: inner, item_count: 0 }]);
    await remove(outer);
    await folder((await rowOf(outer)).name.toUpperCase());
    expect((await restore(inner, outer)).response.data.map(({ id, name, parent_id }) => [id, name, parent_id])).toEqual([
      [inner, "Inner", outer],
      [outer, (await rowOf(outer)).name, fixtures.home.root],
    ]);
    expect((await rowOf(outer)).name).toMatch(/ \(2\)$/);
  });

  test("simultaneous restores of a file publish one event", async () => {
    const id = await file("both.wav", fixtures.home.root);
    await remove(id);
    const since = await latestSeq();
    const replies = await Promise.all([restore(id), restore(id), restore(id)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await eventsSince(since)).toEqual([["file.created", id]]);
  });

  test("republishes attachments of files in a deleted and in a restored folder", async () => {
    const folderId = await folder();
    const sent = await file("sent.wav", folderId);
    await fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "", attachment_ids: [sent] } });
    const since = await latestSeq();
    await remove(folderId);
    await restore(folderId);
    expect(await eventsSince(since)).toEqual([
      ["file.deleted", folderId],
      ["attachment.updated", sent],
      ["file.created", folderId],
      ["attachment.updated", sent],
    ]);
  });

  test("publishes one chat event instead of one per attachment for many files in any number of folders", async () => {
    const { testApp, home, member } = fixtures;
    const attachMany = async (folderId: number, count: number) => {
      const { id: _, ...version } = await currentVersion(testApp, await file("one.wav", folderId));
      await testApp.database.write(async (tx) => {
        const { id: message } = await tx.selectFrom("messages").select("id").where("project_id", "=", home.project).orderBy("id").executeTakeFirstOrThrow();
        for (let index = 0; index < count; index += 1) {
          const row = {
            project_id: home.project,
            parent_id: folderId,
            is_folder: 0 as const,
            created_by: member.id,
            created_at: 1,
            name: `${index}`,
            name_key: `${index}`,
          };
          const { id } = await tx.insertInto("files").values(row).returning("id").executeTakeFirstOrThrow();
          const { id: version_id } = await tx
            .insertInto("file_versions")
            .values({ ...version, file_id: id })
            .returning("id")
            .executeTakeFirstOrThrow();
          await tx
            .insertInto("attachments")
            .values({ message_id: message, position: ++nameCounter + 100, file_id: id, version_id })
            .execute();
        }
      });
    };
    const [a, b] = [await folder(), await folder()];
    await attachMany(a, MAX_SEPARATE_EVENTS);
    await attachMany(b, 1);
    const since = await latestSeq();
    await remove(a, b);
    await restore(a, b);
    expect((await eventsSince(since)).map(([type]) => type)).toEqual([
      "file.deleted",
      "file.deleted",
      "messages.imported",
      "file.created",
      "file.created",
      "messages.imported",
    ]);
    const beforeSingle = await latestSeq();
    await remove(a);
    expect((await eventsSince(beforeSingle)).filter(([type]) => type === "attachment.updated")).toHaveLength(MAX_SEPARATE_EVENTS);
  });

  test("a file can be restored for 30 days, and then its bytes are deleted", async () => {
    const [id, late] = [await file("soon.wav", fixtures.home.root), await file("late.wav", fixtures.home.root)];
    const { blob_key } = await currentVersion(fixtures.testApp, id);
    const { restorable_until } = (await remove(id, late)).response.data;
    expect(Date.parse(restorable_until) - fixtures.testApp.clock.now()).toBe(30 * DAY - 60_000);
    fixtures.testApp.clock.advance(30 * DAY - 2 * 60_000);
    const by = await createSession(fixtures.testApp, fixtures.member.id, "member");
    const tryRestore = (file_id: number) => fixtures.testApp.call(by, view.restoreFiles, { body: { file_ids: [file_id] } });
    await fixtures.testApp.app.scheduledJobs["delete the bytes of deleted files"]?.();
    expect((await tryRestore(id)).status).toBe(200);
    expect(await openStorage(fixtures.testApp).size(blob_key)).toBe(1);
    fixtures.testApp.clock.advance(60_000);
    expect((await tryRestore(late)).status).toBe(404);
  });
});
