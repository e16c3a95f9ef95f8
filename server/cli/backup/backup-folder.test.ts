/** What is in the folder of the backups: shared, pruned, interrupted, damaged. The engine of the database does not matter for it. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../db/migrate.ts";
import { HttpError } from "../../lib/errors.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { backUp, createEmptyPlace, createFileActions, createFolder, createStore, filesOf, findProblems, objectNames, restore } from "./backup.fixture.ts";
import { type BackupStore, openBackupStore } from "./backup-store.ts";
import { pruneBackups } from "./check-backup.ts";
import type { FileRow, Snapshot } from "./snapshot.ts";

describe("a folder of backups", { timeout: 120_000 }, () => {
  let fixtures: Fixtures;
  let store: BackupStore;
  let actions: ReturnType<typeof createFileActions>;
  beforeAll(async () => {
    fixtures = await createFixtures("sqlite");
    actions = createFileActions(fixtures);
  });
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => {
    store = createStore();
  });

  test("copies a file only once that is stored twice", async () => {
    await actions.uploadFile("twins", "a.wav");
    await actions.uploadFile("twins", "b.wav");
    const { snapshot } = await backUp(fixtures.testApp, store);
    const hashes = [...(await filesOf(store, snapshot)).values()].map(([, sha256]) => sha256);
    expect(objectNames(store)).toHaveLength(new Set([...hashes, ...snapshot.files.chunks, ...snapshot.tables.flatMap(({ chunks }) => chunks)]).size);
    expect(new Set(hashes).size).toBeLessThan(hashes.length);
  });

  describe("of files that cannot be read", () => {
    test("lists them, has everything else, and keeps good copies of earlier backups", async () => {
      const [good, bad, gone] = [await actions.uploadFile("good"), await actions.uploadFile("bad"), await actions.uploadFile("gone")];
      const [goodKey, badKey, goneKey] = [await actions.keyOf(good), await actions.keyOf(bad), await actions.keyOf(gone)];
      const blobs = join(fixtures.testApp.config.dataDir, "files", "blobs");
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "BAD");
      await actions.removeBytes(goneKey);
      const { snapshot } = await backUp(fixtures.testApp, store);
      expect(snapshot.missing.map(({ key, reason }) => [key, reason]).toSorted()).toEqual(
        [
          [badKey, "has other bytes than when it was uploaded"],
          [goneKey, "is not stored"],
        ].toSorted(),
      );
      expect((await filesOf(store, snapshot)).has(goodKey)).toBe(true);

      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "bad");
      await actions.removeRows(gone, goneKey);
      expect((await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 })).snapshot.missing).toEqual([]);
      // From now on the store has the bytes, so that damage of the original no longer matters.
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "BAD");
      const last = await backUp(fixtures.testApp, store, { now: () => Date.now() + 2_000 });
      expect(last.snapshot.missing).toEqual([]);
      const place = await createEmptyPlace("sqlite");
      await restore(store, last.id, place);
      expect(Buffer.concat(await (await place.storage.open(badKey)).toArray()).toString()).toBe("bad");
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "bad");
    });

    test("ends if the storage is out of reach, and adds no backup", async () => {
      await actions.uploadFile("unreachable");
      const storage = { ...openStorage(fixtures.testApp), open: () => Promise.reject(new HttpError(503, "The file storage is unavailable.")) };
      await expect(backUp(fixtures.testApp, store, { storage })).rejects.toThrow("The file storage is unavailable.");
      expect(await store.listSnapshots()).toEqual([]);
    });
  });

  describe("in its folder", () => {
    test("is removed with what only it needs once newer ones are enough", async () => {
      const old = await actions.uploadFile("old");
      const key = await actions.keyOf(old);
      const { snapshot: first } = await backUp(fixtures.testApp, store);
      const [, sha256, size] = (await filesOf(store, first)).get(key)!;
      await actions.removeBytes(key);
      await actions.removeRows(old, key);
      const ids: string[] = [];
      for (const seconds of [1, 2]) ids.push((await backUp(fixtures.testApp, store, { now: () => Date.now() + seconds * 1_000 })).id);
      expect(await pruneBackups(store, 3, ids.at(-1)!)).toEqual({ snapshots: 0, bytes: 0 });
      expect(await store.has({ sha256, size })).toBe(true);
      expect((await pruneBackups(store, 2, ids.at(-1)!)).snapshots).toBe(1);
      expect(await store.has({ sha256, size })).toBe(false);
      expect([await store.listSnapshots(), await findProblems(store)]).toEqual([ids, []]);
      await restore(store, ids[0]!, await createEmptyPlace("sqlite"));
    });

    test("stays if it is the one just made, although the clock of the earlier ones was ahead", async () => {
      const ahead = await backUp(fixtures.testApp, store, { now: () => Date.now() + 100_000 });
      const further = await backUp(fixtures.testApp, store, { now: () => Date.now() + 200_000 });
      const made = await backUp(fixtures.testApp, store);
      expect(await store.listSnapshots()).toEqual([made.id, ahead.id, further.id]);
      expect((await pruneBackups(store, 2, made.id)).snapshots).toBe(1);
      expect(await store.listSnapshots()).toEqual([made.id, further.id]);
      expect((await pruneBackups(store, 1, made.id)).snapshots).toBe(1);
      expect([await store.listSnapshots(), await findProblems(store)]).toEqual([[made.id], []]);
    });

    test("is not completed if a program has connected to the database meanwhile", async () => {
      const assertStopped = () => Promise.reject(new Error("Talkback is running."));
      await expect(backUp(fixtures.testApp, store, { assertStopped })).rejects.toThrow("Talkback is running.");
      expect(await store.listSnapshots()).toEqual([]);
    });

    test("is refused if the last one is of another installation", async () => {
      const { id } = await backUp(fixtures.testApp, store);
      const before = objectNames(store);
      await expect(backUp(fixtures.testApp, store, { masterKey: Buffer.alloc(32, 7) })).rejects.toThrow(
        /has backups of another installation.*Nothing was done/,
      );
      expect([await store.listSnapshots(), objectNames(store)]).toEqual([[id], before]);
    });

    test("is not followed by a removal if one of the backups cannot be read", async () => {
      const { id, snapshot } = await backUp(fixtures.testApp, store);
      const last = await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
      const before = objectNames(store);
      rmSync(store.pathOf(snapshot.files.chunks[0]!));
      await expect(pruneBackups(store, 2, last.id)).rejects.toThrow("is missing");
      expect(objectNames(store)).toHaveLength(before.length - 1);
      expect(await store.listSnapshots()).toContain(id);
    });

    test("continues after an interrupted run, whose leftovers it removes", async () => {
      await actions.uploadFile("first of all");
      let copies = 0;
      const interrupted = {
        ...store,
        writeObject: (source: AsyncIterable<Uint8Array>) => ((copies += 1) > 1 ? Promise.reject(new Error("killed")) : store.writeObject(source)),
      };
      await expect(backUp(fixtures.testApp, interrupted)).rejects.toThrow("killed");
      writeFileSync(join(store.folder, "incoming", "half"), "half");
      expect([await store.listSnapshots(), objectNames(store).length]).toEqual([[], 1]);
      const [alreadyStored] = objectNames(store).map((path) => path.slice(-64));
      const written: string[] = [];
      const observed = {
        ...store,
        async writeObject(source: AsyncIterable<Uint8Array>) {
          const object = await store.writeObject(source);
          written.push(object.sha256);
          return object;
        },
      };
      await backUp(fixtures.testApp, observed);
      expect(written.length).toBeGreaterThan(0);
      expect(written).not.toContain(alreadyStored);
      expect(existsSync(join(store.folder, "incoming", "half"))).toBe(false);
      expect(await findProblems(store)).toEqual([]);
    });

    test("refuses a second one at the same time, and a folder of somebody else", async () => {
      const unlock = await store.lock();
      await expect(openBackupStore(store.folder).lock()).rejects.toThrow("Another backup into");
      unlock();
      (await openBackupStore(store.folder).lock())();
      const folder = createFolder();
      writeFileSync(join(folder, "letter.txt"), "private");
      await expect(openBackupStore(folder).lock()).rejects.toThrow("has other things in it");
      expect(readdirSync(folder)).toEqual(["letter.txt"]);
    });
  });

  describe("that is damaged", () => {
    /** Damages the backup of a place with one file, and returns the place that refuses it. */
    async function restoreDamaged(damage: (snapshot: Snapshot, file: FileRow) => void) {
      const key = await actions.keyOf(await actions.uploadFile("precious"));
      const { id, snapshot } = await backUp(fixtures.testApp, store);
      damage(snapshot, (await filesOf(store, snapshot)).get(key)!);
      const place = await createEmptyPlace("sqlite");
      const error: Error = await restore(store, id, place).then(
        () => expect.unreachable("it was restored"),
        (thrown: Error) => thrown,
      );
      return { place, message: error.message, problems: await findProblems(store), key };
    }
    const flip = (path: string): void => {
      const bytes = readFileSync(path);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(path, bytes);
    };

    test.each<[string, RegExp, (snapshot: Snapshot, file: FileRow) => void]>([
      ["a file is missing", /is missing or cut short. Nothing was changed/, (_, [, sha256]) => rmSync(store.pathOf(sha256))],
      ["a file is cut short", /is missing or cut short. Nothing was changed/, (_, [, sha256]) => truncateSync(store.pathOf(sha256), 3)],
      ["rows are missing", /is missing. Nothing was changed/, ({ tables }) => rmSync(store.pathOf(tables.find(({ name }) => name === "messages")!.chunks[0]!))],
      ["the list of files has changed", /the content of .* has changed/, ({ files }) => flip(store.pathOf(files.chunks[0]!))],
    ])("leaves the place empty if %s", async (_what, message, damage) => {
      const result = await restoreDamaged(damage);
      expect(result.message).toMatch(message);
      expect(result.problems.length).toBeGreaterThan(0);
      expect(await result.place.database.read.introspection.getTables()).toEqual([]);
      for await (const { key } of result.place.storage.list()) expect.unreachable(key);
    });

    test.each<[string, (snapshot: Snapshot, file: FileRow) => void]>([
      ["a file has changed", (_, [, sha256]) => flip(store.pathOf(sha256))],
      ["rows have changed", ({ tables }) => flip(store.pathOf(tables.find(({ name }) => name === "messages")!.chunks[0]!))],
    ])("lets no service start if %s", async (_what, damage) => {
      const { place, message, problems } = await restoreDamaged(damage);
      expect(message).toMatch(/^The backup is damaged: .*(has changed|has another content)/);
      expect(problems.length).toBeGreaterThan(0);
      await expect(migrate(place.database, { now: () => 1 })).rejects.toThrow("was interrupted");
      for await (const { key, size } of place.storage.list()) expect([key, size]).toEqual([key, await openStorage(fixtures.testApp).size(key)]);
    });

    test("is refused if its document has changed", async () => {
      const { id } = await backUp(fixtures.testApp, store);
      const path = join(store.folder, "snapshots", `${id}.json`);
      writeFileSync(path, readFileSync(path, "utf8").replace('"format": 1', '"format":  1'));
      await expect(store.readSnapshot(id)).rejects.toThrow("has changed");
      expect(await findProblems(store)).toEqual([expect.stringContaining("has changed")]);
    });
  });
});
