import { randomBytes } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { DAY } from "../../lib/clock.ts";
import { UPLOAD_GRACE_MS } from "../../storage/storage.ts";
import { setPages } from "../../testing/documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, markProcessed, openStorage, storedBytes, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createSession } from "../../testing/people.ts";
import { countIndexedPages } from "../../testing/search-entries.ts";
import { keysOf, recordedKeys } from "./blob-keys.ts";
import { FILE_RETENTION_MS } from "./retention.ts";

describe.each(ENGINES)("deleting files on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const uploadProcessed = async (name: string, parent = fixtures.home.folder) => {
    const id = await upload(fixtures.testApp, fixtures.member, { parent, name });
    await markProcessed(fixtures.testApp, id);
    return id;
  };
  const remove = (id: number, by = fixtures.member) => fixtures.testApp.call(by, files.deleteFile, { body: { file_id: id } });
  const folder = async (name: string, parent = fixtures.home.root, by = fixtures.member, extra = {}) =>
    (await fixtures.testApp.call(by, files.createFolder, { body: { name: `${name} ${engine}`, parent_id: parent, ...extra } })).response.data.id;
  const isThere = async (id: number) => (await fixtures.testApp.call(fixtures.owner, files.getFileInfo, { body: { file_id: id } })).status === 200;
  const loadKeys = async (id: number) => keysOf(await currentVersion(fixtures.testApp, id)).map(({ key }) => key);
  const countStored = async (blobKeys: string[]) =>
    (await Promise.all(blobKeys.map((key) => openStorage(fixtures.testApp).size(key)))).filter((size) => size !== null).length;
  /** Advances the clock and signs the member in again, because sessions expire meanwhile. */
  const advanceClock = async (ms: number) => {
    fixtures.testApp.clock.advance(ms);
    fixtures.member = { ...fixtures.member, ...(await createSession(fixtures.testApp, fixtures.member.id, fixtures.member.name)), id: fixtures.member.id };
  };
  const countBlobRows = async (blobKeys: string[]) =>
    (await fixtures.testApp.database.read.selectFrom("blobs").select("key").where("key", "in", blobKeys).where("deleted_at", "is", null).execute()).length;
  const purge = () => fixtures.testApp.app.scheduledJobs["delete the bytes of deleted files"]?.();

  describe("folders", () => {
    test("are deleted with their contents and one event", async () => {
      const outer = await folder("Outer");
      const inner = await folder("Inner", outer);
      const inside = [outer, inner, await uploadProcessed("a.wav", outer), await uploadProcessed("b.wav", inner)];
      const beside = await uploadProcessed("beside.wav");
      expect((await remove(outer)).response.data.id).toBe(outer);
      expect(await Promise.all(inside.map(isThere))).toEqual([false, false, false, false]);
      expect(await isThere(beside)).toBe(true);
      const events = await fixtures.testApp.database.read.selectFrom("events").selectAll().where("type", "=", "file.deleted").orderBy("seq").execute();
      expect(events.map(({ data }) => JSON.parse(data)).filter(({ id }) => inside.includes(id))).toEqual([
        { id: outer, parent_id: fixtures.home.root, is_folder: true },
      ]);
    });
    test("cannot be deleted while anything in them is protected at any depth", async () => {
      const outer = await folder("Kept");
      const inner = await folder("Deep", outer);
      const deepest = await folder("Deepest", inner, fixtures.member, { removal_protection: true });
      const file = await uploadProcessed("kept.wav", inner);
      const rejection = await remove(outer, fixtures.owner);
      expect([rejection.status, rejection.problem.detail]).toEqual([409, `"Deepest ${engine}" in it is protected from removal. Remove the protection first.`]);
      expect((await remove(deepest)).problem.detail).toBe("It is protected from removal. Remove the protection first.");
      expect(await Promise.all([outer, inner, deepest, file].map(isThere))).toEqual([true, true, true, true]);
      await fixtures.testApp.call(fixtures.member, files.updateFolder, { body: { file_id: deepest, removal_protection: false } });
      expect((await remove(outer)).status).toBe(200);
    });
    test("of a guest cannot be deleted by the guest while they contain another person's entries", async () => {
      const guestFolder = await folder("Guest's", fixtures.home.root, fixtures.guest);
      const inner = await folder("Member's", guestFolder, fixtures.member);
      expect((await remove(guestFolder, fixtures.guest)).status).toBe(403);
      await remove(inner);
      expect((await remove(guestFolder, fixtures.guest)).status).toBe(200);
    });
    test("with 1,500 entries are deleted and restored at once", async () => {
      const crowded = await folder("Crowded");
      const { testApp, home, member } = fixtures;
      await testApp.database.write(async (tx) => {
        for (let offset = 0; offset < 1_500; offset += 500) {
          const rows = Array.from({ length: 500 }, (_, index) => ({
            project_id: home.project,
            parent_id: crowded,
            is_folder: 1 as const,
            name: `${offset + index}`,
            name_key: `${offset + index}`,
            created_by: member.id,
            created_at: 1,
          }));
          await tx.insertInto("files").values(rows).execute();
        }
      });
      const countLive = async () =>
        (await testApp.database.read.selectFrom("files").select("id").where("parent_id", "=", crowded).where("deleted_at", "is", null).execute()).length;
      expect([(await remove(crowded)).status, await countLive()]).toEqual([200, 0]);
      const { response: answer } = await testApp.call(member, view.restoreFiles, { body: { file_ids: [crowded] } });
      expect([answer.data[0]?.id, await countLive()]).toEqual([crowded, 1_500]);
    });
    test("deleted during uploads leave no live file in them", async () => {
      const target = await folder("Race");
      const [removed, ...uploads] = await Promise.all([
        remove(target),
        ...Array.from({ length: 6 }, (_, index) =>
          fixtures.testApp.callUntyped(fixtures.member, files.uploadFile, { query: { parent_id: target, name: `${index}` }, bytes: Buffer.from("x") }),
        ),
      ]);
      expect(removed?.status).toBe(200);
      for (const reply of uploads) expect([200, 404]).toContain(reply.status);
      const orphaned = await fixtures.testApp.database.read
        .selectFrom("files")
        .select("id")
        .where("parent_id", "=", target)
        .where("deleted_at", "is", null)
        .execute();
      expect(orphaned).toEqual([]);
    });
  });

  test("makes the name available again", async () => {
    const first = await uploadProcessed("Again.wav");
    await remove(first);
    expect(
      (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: await uploadProcessed("Again.wav") } })).response.common.name,
    ).toBe("Again.wav");
  });

  test("erases the text with the bytes: pages, their index entries and tags, but not of versions that a message carries", async () => {
    const { testApp, member, home } = fixtures;
    const [plain, sent] = [await uploadProcessed("words.pdf"), await uploadProcessed("words sent.pdf")];
    for (const id of [plain, sent]) await setPages(testApp, id, ["A confidential contrabassoon"]);
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "read", attachment_ids: [sent] } });
    const [{ id: plainVersion }, { id: sentVersion }] = [await currentVersion(testApp, plain), await currentVersion(testApp, sent)];
    await remove(plain);
    await remove(sent);
    const versionsWith = async (table: "document_pages" | "document_texts") =>
      (await testApp.database.read.selectFrom(table).select("version_id").where("version_id", "in", [plainVersion, sentVersion]).execute()).map(
        ({ version_id }) => version_id,
      );
    await advanceClock(FILE_RETENTION_MS - DAY);
    await purge();
    expect((await versionsWith("document_pages")).toSorted()).toEqual([plainVersion, sentVersion].toSorted());
    await advanceClock(DAY);
    await purge();
    expect([await versionsWith("document_pages"), await versionsWith("document_texts")]).toEqual([[sentVersion], [sentVersion]]);
    expect((await currentVersion(testApp, plain)).probe).toBeNull();
    expect(await countIndexedPages(testApp.database, "contrabassoon")).toBe(1);
  });

  test("deletes original, copy and peaks after 30 days, but not of versions that a message carries", async () => {
    const { testApp, member, home } = fixtures;
    const plain = await uploadProcessed("plain.wav");
    const sent = await uploadProcessed("sent.wav");
    const oldKeys = await loadKeys(sent);
    await upload(testApp, member, { versionOf: sent, bytes: "second" });
    await markProcessed(testApp, sent);
    const { data } = (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "listen", attachment_ids: [sent] } })).response;
    const [plainKeys, sentKeys, homeKeys] = [await loadKeys(plain), await loadKeys(sent), await loadKeys(home.file)];
    expect(plainKeys).toHaveLength(4);
    await remove(plain);
    await remove(sent);

    await advanceClock(FILE_RETENTION_MS - DAY);
    await purge();
    expect(await countStored([...plainKeys, ...sentKeys, ...oldKeys])).toBe(12);
    await advanceClock(DAY);
    await purge();
    expect(await countStored(plainKeys)).toBe(0);
    expect(await countBlobRows(plainKeys)).toBe(0);
    expect(await countBlobRows(sentKeys)).toBe(4);
    expect(await countStored(oldKeys)).toBe(0);
    expect(await countStored(sentKeys)).toBe(4);
    expect(await countStored(homeKeys)).toBe(4);

    // The message still lists the attachment, marked as deleted, and its bytes are no longer served.
    const message = (await testApp.call(fixtures.member, chat.chatHistory, { body: { project_id: home.project, around_id: data.id } })).response.data.find(
      ({ id }) => id === data.id,
    );
    expect(message?.attachments).toMatchObject([{ id: sent, name: expect.stringContaining("sent"), deleted: true }]);
    expect((await testApp.send(fixtures.member, { method: "GET", url: new URL(message?.attachments[0]?.url ?? "").pathname })).status).toBe(404);

    await testApp.database.write((tx) => tx.updateTable("messages").set({ deleted_at: 1 }).where("id", "=", data.id).execute());
    await purge();
    expect(await countStored(sentKeys)).toBe(0);
    await storedBytes(testApp);
    expect((await testApp.database.read.selectFrom("blobs").select("key").where("deleted_at", "is not", null).execute()).length).toBeGreaterThanOrEqual(3);
  });

  test("finishes a run that was killed between deleting the bytes and updating the record", async () => {
    const id = await uploadProcessed("interrupted.wav");
    const version = await currentVersion(fixtures.testApp, id);
    await remove(id);
    await advanceClock(FILE_RETENTION_MS);
    await openStorage(fixtures.testApp).remove(version.blob_key);
    await purge();
    expect(await countStored(keysOf(version).map(({ key }) => key))).toBe(0);
    expect(await fixtures.testApp.database.read.selectFrom("blobs").select("deleted_at").where("key", "=", version.blob_key).executeTakeFirstOrThrow()).toEqual(
      {
        deleted_at: fixtures.testApp.clock.now(),
      },
    );
  });

  describe("check-files", () => {
    const check = async (options: Record<string, string> = {}) => {
      const { testApp } = fixtures;
      const lines = await COMMANDS["check-files"]?.run(
        { ...testApp, storage: openStorage(testApp), services: testApp.app.services, clock: { time: Date.now() }, publicUrl: "" },
        options,
      );
      return lines?.join("\n") ?? "";
    };
    const writeOrphan = (ageMs: number): string => {
      const key = randomBytes(16).toString("hex");
      const directory = join(fixtures.testApp.config.dataDir, "files", "blobs", key.slice(0, 2));
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, key), "stray");
      const modifiedAt = new Date(Date.now() - ageMs);
      utimesSync(join(directory, key), modifiedAt, modifiedAt);
      return key;
    };
    test("reports nothing if storage and records match", async () => {
      await purge();
      expect(await check()).toMatch(/^\d+ blobs, [\d,]+ bytes\.\nNothing is missing\.\nNo orphans\.$/);
    });
    test("lists every recorded key with its description", async () => {
      const descriptions = new Map<string, string>();
      for await (const { key, description } of recordedKeys(fixtures.testApp.database.read)) descriptions.set(key, description);
      for (const key of await loadKeys(fixtures.home.file)) expect(descriptions.get(key), key).toMatch(new RegExp(`of file ${fixtures.home.file} `));
      expect(
        [...descriptions.values()]
          .filter((description) => description.includes(`file ${fixtures.home.file} `))
          .map((description) => description.replace(/ of file.*/, "")),
      ).toEqual(["original", "streaming copy", "peaks level 0", "peaks level 1"]);
    });
    test("reports missing originals, copies and peaks, and reports and removes orphans", async () => {
      const id = await uploadProcessed("damaged.wav");
      const all = await loadKeys(id);
      for (const key of all) await openStorage(fixtures.testApp).remove(key);
      const [oldOrphan, youngOrphan] = [writeOrphan(UPLOAD_GRACE_MS + 60_000), writeOrphan(0)];
      const report = await check();
      expect(report).toContain("Missing: 4");
      for (const [index, description] of ["original", "streaming copy", "peaks level 0", "peaks level 1"].entries())
        expect(report).toContain(`  ${all[index]}  ${description} of file ${id} ("damaged.wav"), version 1`);
      expect(report).toContain(`Orphans: 1, 5 bytes\n  ${oldOrphan}  5 bytes`);
      expect(report).not.toContain(youngOrphan);
      expect(await countStored([oldOrphan])).toBe(1);
      expect(await check({ remove: "orphans" })).toContain("Removed 1.");
      expect(await countStored([oldOrphan])).toBe(0);
      expect(await countStored([youngOrphan])).toBe(1);
      expect(await check()).toContain("No orphans.");
    });
    test("rejects other values of --remove", () => expect(check({ remove: "everything" })).rejects.toThrow('--remove only accepts "orphans".'));
  });
});
