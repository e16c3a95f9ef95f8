import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { DAY } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { storageOf, upload, currentVersion } from "../../testing/files.ts";
import { freshSession } from "../../testing/people.ts";
import { TOLD_EACH } from "./carried.ts";

describe.each(ENGINES)("deleting many and bringing them back, on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  let drawn = 0;
  const folder = async (name = `Folder ${++drawn}`, parent_id = cast.home.root) =>
    (await cast.world.call(cast.member, files.makeFolder, { body: { name, parent_id } })).answer.data.id;
  const file = (name: string, parent: number) => upload(cast.world, cast.member, { parent, name, bytes: "x" });
  const remove = (...file_ids: number[]) => cast.world.call(cast.member, view.deleteFiles, { body: { file_ids } });
  const restore = (...file_ids: number[]) => cast.world.call(cast.member, view.restoreFiles, { body: { file_ids } });
  const rowOf = (id: number) => cast.world.database.read.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const live = async (...ids: number[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).deleted_at === null));
  const topic = () => `project:${cast.home.project}`;
  const newest = async () => (await cast.world.database.read.selectFrom("topics").select("seq").where("topic", "=", topic()).executeTakeFirstOrThrow()).seq;
  const eventsSince = async (seq: number) =>
    (
      await cast.world.database.read.selectFrom("events").select(["type", "data"]).where("topic", "=", topic()).where("seq", ">", seq).orderBy("seq").execute()
    ).map(({ type, data }): [string, number] => [type, (JSON.parse(data) as { id: number }).id]);

  test("what went in one act comes back, what had gone before does not; one event for a folder", async () => {
    const outer = await folder();
    const inner = await folder("Inner", outer);
    const [early, a, b] = [await file("early.wav", inner), await file("a.wav", outer), await file("b.wav", inner)];
    await remove(early);
    const beforeRemoval = await newest();
    expect((await remove(outer, b)).answer.data).toMatchObject({ file_ids: [outer], count: 4 });
    expect(await eventsSince(beforeRemoval)).toEqual([["file.deleted", outer]]);
    expect(await live(outer, inner, early, a, b)).toEqual([false, false, false, false, false]);
    const beforeReturn = await newest();
    expect((await restore(outer)).answer.data).toMatchObject([{ id: outer, parent_id: cast.home.root, item_count: 2 }]);
    expect(await eventsSince(beforeReturn)).toEqual([["file.created", outer]]);
    expect(await live(outer, inner, early, a, b)).toEqual([true, true, false, true, true]);
    // Again changes nothing, and tells nobody.
    const quiet = await newest();
    expect((await restore(outer)).status).toBe(200);
    expect(await eventsSince(quiet)).toEqual([]);
    await restore(early);
    expect((await rowOf(early)).parent_id).toBe(inner);
  });

  test("people whose tasks go and come with it hear of it, in a topic of their own; everybody that it is an old one", async () => {
    const at = await folder();
    const about = await file("notes.wav", at);
    const tasksOf = async () =>
      (await cast.world.database.read.selectFrom("events").select("type").where("topic", "=", `account:${cast.guest.id}`).execute()).filter(
        ({ type }) => type === "tasks.changed",
      ).length;
    const body = { file_id: about, tasks: [{ title: "Listen", assignee_account_id: cast.guest.id }] };
    expect((await cast.world.call(cast.member, tasks.createTasks, { body })).status).toBe(200);
    const before = await tasksOf();
    await remove(at);
    expect(await tasksOf()).toBe(before + 1);
    await restore(at);
    expect(await tasksOf()).toBe(before + 2);
    const last = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "=", "file.created")
      .orderBy("created_at", "desc")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(last.data)).toMatchObject({ id: at, restored: true });
  });

  test("all or nothing: one that is protected, however deep, keeps all", async () => {
    const [outer, beside] = [await folder(), await file("beside.wav", cast.home.root)];
    const inner = await folder("Inner", outer);
    const kept = await file("kept.wav", inner);
    await cast.world.call(cast.member, view.updateFile, { params: { file_id: kept }, body: { removal_protection: true } });
    const reply = await remove(beside, outer);
    expect([reply.status, reply.problem.detail]).toEqual([409, '"kept.wav" in it is protected from removal. Take the protection off first.']);
    expect((await remove(beside, kept)).problem.detail).toBe('"kept.wav" is protected from removal. Take the protection off first.');
    expect(await live(beside, outer, inner, kept)).toEqual([true, true, true, true]);
    expect((await remove(beside)).status).toBe(200);
  });

  test("comes into the nearest folder where its own is gone, with a number where its name is taken", async () => {
    const outer = await folder();
    const inner = await folder("Inner", outer);
    const lost = await file("Mix.wav", inner);
    await remove(inner);
    await file("mIX.wav", outer);
    expect((await restore(lost)).answer.data).toMatchObject([{ name: "Mix (2).wav", parent_id: outer }]);
    // The folder still comes back by itself, without what came back before.
    expect((await restore(inner)).answer.data).toMatchObject([{ id: inner, item_count: 0 }]);
    await remove(outer);
    await folder((await rowOf(outer)).name.toUpperCase());
    expect((await restore(inner, outer)).answer.data.map(({ id, name, parent_id }) => [id, name, parent_id])).toEqual([
      [inner, "Inner", outer],
      [outer, (await rowOf(outer)).name, cast.home.root],
    ]);
    expect((await rowOf(outer)).name).toMatch(/ \(2\)$/);
  });

  test("two who bring the same back at once: it is there once", async () => {
    const id = await file("both.wav", cast.home.root);
    await remove(id);
    const since = await newest();
    const replies = await Promise.all([restore(id), restore(id), restore(id)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await eventsSince(since)).toEqual([["file.created", id]]);
  });

  test("messages that carry what lay in a folder say so, and no more when it is back", async () => {
    const at = await folder();
    const sent = await file("sent.wav", at);
    await cast.world.call(cast.member, chat.sendMessage, { body: { project_id: cast.home.project, body: "", attachment_ids: [sent] } });
    const since = await newest();
    await remove(at);
    await restore(at);
    expect(await eventsSince(since)).toEqual([
      ["file.deleted", at],
      ["attachment.updated", sent],
      ["file.created", at],
      ["attachment.updated", sent],
    ]);
  });

  test("of more files than are told one by one the chat hears once, however many folders they lay in", async () => {
    const { world, home, member } = cast;
    const carried = async (at: number, count: number) => {
      const { id: _, ...version } = await currentVersion(world, await file("one.wav", at));
      await world.database.write(async (tx) => {
        const { id: message } = await tx.selectFrom("messages").select("id").where("project_id", "=", home.project).orderBy("id").executeTakeFirstOrThrow();
        for (let index = 0; index < count; index += 1) {
          const row = {
            project_id: home.project,
            parent_id: at,
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
            .values({ message_id: message, position: ++drawn + 100, file_id: id, version_id })
            .execute();
        }
      });
    };
    const [a, b] = [await folder(), await folder()];
    await carried(a, TOLD_EACH);
    await carried(b, 1);
    const since = await newest();
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
    const alone = await newest();
    await remove(a);
    expect((await eventsSince(alone)).filter(([type]) => type === "attachment.updated")).toHaveLength(TOLD_EACH);
  });

  test("for 30 days, and not a minute more: then its bytes go", async () => {
    const [id, late] = [await file("soon.wav", cast.home.root), await file("late.wav", cast.home.root)];
    const { blob_key } = await currentVersion(cast.world, id);
    const { restorable_until } = (await remove(id, late)).answer.data;
    expect(Date.parse(restorable_until) - cast.world.clock.now()).toBe(30 * DAY - 60_000);
    cast.world.clock.pass(30 * DAY - 2 * 60_000);
    const by = await freshSession(cast.world, cast.member.id, "member");
    const again = (file_id: number) => cast.world.call(by, view.restoreFiles, { body: { file_ids: [file_id] } });
    await cast.world.app.chores["removing the bytes of deleted files"]?.();
    expect((await again(id)).status).toBe(200);
    expect(await storageOf(cast.world).size(blob_key)).toBe(1);
    cast.world.clock.pass(60_000);
    expect((await again(late)).status).toBe(404);
  });
});
