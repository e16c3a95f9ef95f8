import { randomBytes } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { COMMANDS } from "../../admin/commands.ts";
import { DAY } from "../../lib/clock.ts";
import { UNDER_WAY_MS } from "../../storage/check.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, processed, storageOf, upload } from "../../testing/files.ts";
import { freshSession } from "../../testing/people.ts";
import { KEPT_MS } from "./removal.ts";
import { keysOf, recordedKeys } from "./stored-keys.ts";

describe.each(ENGINES)("deleting, on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const fresh = async (name: string, parent = cast.home.folder) => {
    const id = await upload(cast.world, cast.member, { parent, name });
    await processed(cast.world, id);
    return id;
  };
  const remove = (id: number, by = cast.member) => cast.world.call(by, files.deleteFile, { body: { file_id: id } });
  const folder = async (name: string, parent = cast.home.root, by = cast.member, more = {}) =>
    (await cast.world.call(by, files.makeFolder, { body: { name: `${name} ${engine}`, parent_id: parent, ...more } })).answer.data.id;
  const isThere = async (id: number) => (await cast.world.call(cast.owner, files.getFileInfo, { body: { file_id: id } })).status === 200;
  const keys = async (id: number) => keysOf(await currentVersion(cast.world, id)).map(({ key }) => key);
  const stored = async (some: string[]) => (await Promise.all(some.map((key) => storageOf(cast.world).size(key)))).filter((size) => size !== null).length;
  /** Sessions end meanwhile: the member signs in again. */
  const pass = async (ms: number) => {
    cast.world.clock.pass(ms);
    cast.member = { ...cast.member, ...(await freshSession(cast.world, cast.member.id, cast.member.name)), id: cast.member.id };
  };
  const takingRoom = async (some: string[]) =>
    (await cast.world.database.read.selectFrom("blobs").select("key").where("key", "in", some).where("deleted_at", "is", null).execute()).length;
  const tidy = () => cast.world.app.chores["removing the bytes of deleted files"]?.();

  describe("folders", () => {
    test("go with all that is in them, and everybody hears of it once", async () => {
      const outer = await folder("Outer");
      const inner = await folder("Inner", outer);
      const inside = [outer, inner, await fresh("a.wav", outer), await fresh("b.wav", inner)];
      const beside = await fresh("beside.wav");
      expect((await remove(outer)).answer.data.id).toBe(outer);
      expect(await Promise.all(inside.map(isThere))).toEqual([false, false, false, false]);
      expect(await isThere(beside)).toBe(true);
      const events = await cast.world.database.read.selectFrom("events").selectAll().where("type", "=", "file.deleted").orderBy("seq").execute();
      expect(events.map(({ data }) => JSON.parse(data)).filter(({ id }) => inside.includes(id))).toEqual([
        { id: outer, parent_id: cast.home.root, is_folder: true },
      ]);
    });
    test("stay whole as long as anything in them is protected, however deep", async () => {
      const outer = await folder("Kept");
      const inner = await folder("Deep", outer);
      const deepest = await folder("Deepest", inner, cast.member, { removal_protection: true });
      const file = await fresh("kept.wav", inner);
      const refusal = await remove(outer, cast.owner);
      expect([refusal.status, refusal.problem.detail]).toEqual([409, `"Deepest ${engine}" in it is protected from removal. Take the protection off first.`]);
      expect((await remove(deepest)).problem.detail).toBe("It is protected from removal. Take the protection off first.");
      expect(await Promise.all([outer, inner, deepest, file].map(isThere))).toEqual([true, true, true, true]);
      await cast.world.call(cast.member, files.updateFolder, { body: { file_id: deepest, removal_protection: false } });
      expect((await remove(outer)).status).toBe(200);
    });
    test("of a guest stay when somebody else put something in", async () => {
      const own = await folder("Guest's", cast.home.root, cast.guest);
      const inner = await folder("Member's", own, cast.member);
      expect((await remove(own, cast.guest)).status).toBe(403);
      await remove(inner);
      expect((await remove(own, cast.guest)).status).toBe(200);
    });
    test("take 1,500 files along at once, and bring them back", async () => {
      const crowded = await folder("Crowded");
      const { world, home, member } = cast;
      await world.database.write(async (tx) => {
        for (let made = 0; made < 1_500; made += 500) {
          const rows = Array.from({ length: 500 }, (_, at) => ({
            project_id: home.project,
            parent_id: crowded,
            is_folder: 1 as const,
            name: `${made + at}`,
            name_key: `${made + at}`,
            created_by: member.id,
            created_at: 1,
          }));
          await tx.insertInto("files").values(rows).execute();
        }
      });
      const living = async () =>
        (await world.database.read.selectFrom("files").select("id").where("parent_id", "=", crowded).where("deleted_at", "is", null).execute()).length;
      expect([(await remove(crowded)).status, await living()]).toEqual([200, 0]);
      const { answer } = await world.call(member, view.restoreFiles, { body: { file_ids: [crowded] } });
      expect([answer.data[0]?.id, await living()]).toEqual([crowded, 1_500]);
    });
    test("that go while somebody uploads into them take the upload along, or leave it in the folder above", async () => {
      const target = await folder("Race");
      const [removed, ...uploads] = await Promise.all([
        remove(target),
        ...Array.from({ length: 6 }, (_, index) =>
          cast.world.wild(cast.member, files.uploadFile, { query: { parent_id: target, name: `${index}` }, bytes: Buffer.from("x") }),
        ),
      ]);
      expect(removed?.status).toBe(200);
      for (const reply of uploads) expect([200, 404]).toContain(reply.status);
      const orphaned = await cast.world.database.read
        .selectFrom("files")
        .select("id")
        .where("parent_id", "=", target)
        .where("deleted_at", "is", null)
        .execute();
      expect(orphaned).toEqual([]);
    });
  });

  test("frees the name", async () => {
    const first = await fresh("Again.wav");
    await remove(first);
    expect((await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: await fresh("Again.wav") } })).answer.common.name).toBe("Again.wav");
  });

  test("bytes go after 30 days: original, copy and peaks; not before, and not what a message carries", async () => {
    const { world, member, home } = cast;
    const plain = await fresh("plain.wav");
    const sent = await fresh("sent.wav");
    const oldKeys = await keys(sent);
    await upload(world, member, { versionOf: sent, bytes: "second" });
    await processed(world, sent);
    const { data } = (await world.call(member, chat.sendMessage, { body: { project_id: home.project, body: "listen", attachment_ids: [sent] } })).answer;
    const [plainKeys, sentKeys, homeKeys] = [await keys(plain), await keys(sent), await keys(home.file)];
    expect(plainKeys).toHaveLength(4);
    await remove(plain);
    await remove(sent);

    await pass(KEPT_MS - DAY);
    await tidy();
    expect(await stored([...plainKeys, ...sentKeys, ...oldKeys])).toBe(12);
    await pass(DAY);
    await tidy();
    expect(await stored(plainKeys)).toBe(0);
    expect(await takingRoom(plainKeys)).toBe(0);
    expect(await takingRoom(sentKeys)).toBe(4);
    expect(await stored(oldKeys)).toBe(0);
    expect(await stored(sentKeys)).toBe(4);
    expect(await stored(homeKeys)).toBe(4);

    // The message says what it carried, and that it is gone; its bytes are nobody's to read.
    const message = (await world.call(cast.member, chat.chatHistory, { body: { project_id: home.project, around_id: data.id } })).answer.data.find(
      ({ id }) => id === data.id,
    );
    expect(message?.attachments).toMatchObject([{ id: sent, name: expect.stringContaining("sent"), deleted: true }]);
    expect((await world.send(cast.member, { method: "GET", url: new URL(message?.attachments[0]?.url ?? "").pathname })).status).toBe(404);

    await world.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 1 }).where("id", "=", data.id).execute());
    await tidy();
    expect(await stored(sentKeys)).toBe(0);
    expect((await world.database.read.selectFrom("blobs").select("key").where("deleted_at", "is not", null).execute()).length).toBeGreaterThanOrEqual(3);
  });

  test("a run that was killed between bytes and record is finished by the next one", async () => {
    const id = await fresh("interrupted.wav");
    const version = await currentVersion(cast.world, id);
    await remove(id);
    await pass(KEPT_MS);
    await storageOf(cast.world).remove(version.blob_key);
    await tidy();
    expect(await stored(keysOf(version).map(({ key }) => key))).toBe(0);
    expect(await cast.world.database.read.selectFrom("blobs").select("deleted_at").where("key", "=", version.blob_key).executeTakeFirstOrThrow()).toEqual({
      deleted_at: cast.world.clock.now(),
    });
  });

  describe("the check", () => {
    const check = async (options: Record<string, string> = {}) => {
      const { world } = cast;
      const lines = await COMMANDS["check-files"]?.run(
        { ...world, storage: storageOf(world), services: world.app.services, clock: { time: Date.now() }, publicUrl: "" },
        options,
      );
      return lines?.join("\n") ?? "";
    };
    const stray = (ageMs: number): string => {
      const key = randomBytes(16).toString("hex");
      const shelf = join(cast.world.config.dataDir, "files", "blobs", key.slice(0, 2));
      mkdirSync(shelf, { recursive: true });
      writeFileSync(join(shelf, key), "stray");
      const then = new Date(Date.now() - ageMs);
      utimesSync(join(shelf, key), then, then);
      return key;
    };
    test("finds nothing where all is well", async () => {
      await tidy();
      expect(await check()).toMatch(/^\d+ blobs, [\d,]+ bytes\.\nNothing is missing\.\nNothing is left over\.$/);
    });
    test("knows every key of every version, page after page", async () => {
      const known = new Map<string, string>();
      for await (const { key, what } of recordedKeys(cast.world.database.read)) known.set(key, what);
      for (const key of await keys(cast.home.file)) expect(known.get(key), key).toMatch(new RegExp(`of file ${cast.home.file} `));
      expect([...known.values()].filter((what) => what.includes(`file ${cast.home.file} `)).map((what) => what.replace(/ of file.*/, ""))).toEqual([
        "original",
        "streaming copy",
        "peaks level 0",
        "peaks level 1",
      ]);
    });
    test("names missing originals, copies and peaks, and what belongs to nothing", async () => {
      const id = await fresh("damaged.wav");
      const all = await keys(id);
      for (const key of all) await storageOf(cast.world).remove(key);
      const [old, young] = [stray(UNDER_WAY_MS + 60_000), stray(0)];
      const report = await check();
      expect(report).toContain("Missing: 4");
      for (const [index, what] of ["original", "streaming copy", "peaks level 0", "peaks level 1"].entries())
        expect(report).toContain(`  ${all[index]}  ${what} of file ${id} ("damaged.wav"), version 1`);
      expect(report).toContain(`Belonging to nothing: 1, 5 bytes\n  ${old}  5 bytes`);
      expect(report).not.toContain(young);
      expect(await stored([old])).toBe(1);
      expect(await check({ remove: "orphans" })).toContain("Removed 1.");
      expect(await stored([old])).toBe(0);
      expect(await stored([young])).toBe(1);
      expect(await check()).toContain("Nothing is left over.");
    });
    test("takes no other wish", () => expect(check({ remove: "everything" })).rejects.toThrow('--remove takes "orphans".'));
  });
});
