import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MIGRATIONS, migrate } from "../../db/migrate.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import type { Migration } from "../../db/migrations/migration.ts";
import { HttpError } from "../../lib/errors.ts";
import { currentVersion, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { ENGINES } from "../../testing/engines.ts";
import { checkStorage, type Storage } from "../../storage/storage.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { backUp, createEmptyPlace, createFolder, createStore, readAllTables, restore } from "./backup.fixture.ts";
import { type BackupStore, openBackupStore } from "./backup-store.ts";
import { checkBackup, pruneBackups } from "./check-backup.ts";
import { type FileRow, readStoredRows, type Snapshot } from "./snapshot.ts";

const DAY = 24 * 3_600_000;

async function filesOf(store: BackupStore, { files }: Snapshot): Promise<Map<string, FileRow>> {
  const rows = new Map<string, FileRow>();
  for await (const chunk of readStoredRows<FileRow>(store, files)) for (const row of chunk) rows.set(row[0], row);
  return rows;
}
const objectNames = (store: BackupStore): string[] =>
  readdirSync(join(store.folder, "objects"), { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{64}$/.test(name));
const findProblems = async (store: BackupStore): Promise<string[]> => (await checkBackup(store, () => {})).problems;

describe.each(ENGINES)("a backup on %s", (engine) => {
  let fixtures: Fixtures;
  let store: BackupStore;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
  });
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => {
    store = createStore();
  });
  const uploadFile = (bytes: string, name = `${bytes}.wav`) => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.root, name, bytes });
  const keyOf = async (fileId: number): Promise<string> => (await currentVersion(fixtures.testApp, fileId)).blob_key;
  /** Removes a file as the cleanup of deleted files does: first the bytes, then the rows. */
  const removeBytes = (key: string) => openStorage(fixtures.testApp).remove(key);
  const removeRows = (fileId: number, key: string) =>
    fixtures.testApp.database.write(async (tx) => {
      await tx.updateTable("blobs").set({ deleted_at: Date.now() }).where("key", "=", key).execute();
      await tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", fileId).execute();
    });

  test("restores every row, file and id, and the searches", async () => {
    const { testApp, owner, home } = fixtures;
    await uploadFile("take one");
    // The engine must not give this id to another message after the restore.
    const last = await createMessage(testApp, owner, home.project, "the last one");
    await testApp.database.write(async (tx) => {
      await tx.updateTable("projects").set({ last_message_id: home.message }).where("id", "=", home.project).execute();
      await removeSearchDocuments(tx, engine, "message", [last]);
      await tx.deleteFrom("messages").where("id", "=", last).execute();
    });
    const { id, snapshot } = await backUp(testApp, store);
    expect(snapshot.missing).toEqual([]);
    const place = await createEmptyPlace(engine);
    await restore(store, id, place);

    expect(await readAllTables(place.database)).toEqual(await readAllTables(testApp.database));
    expect(await place.database.read.selectFrom("migrations").selectAll().orderBy("name").execute()).toEqual(snapshot.migrations);
    const report = await checkStorage(place.storage, allRecordedKeys(place.database.read), Date.now() + 10 * DAY);
    expect([report.missing, report.orphans, report.blobs]).toEqual([[], [], snapshot.files.rows]);
    for (const index of ["message_search", "file_search", "account_search", "project_search"] as const) {
      const count = async ({ read }: typeof place.database) => (await read.selectFrom(index as "messages").select(({ fn }) => fn.countAll<number>().as("count")).execute())[0]?.count;
      expect(await count(place.database), index).toBeGreaterThan(0);
      expect(await count(place.database), index).toBe(await count(testApp.database));
    }
    const values = { project_id: home.project, account_id: owner.id, body: "next", created_at: 1 };
    const next = await place.database.write((tx) => tx.insertInto("messages").values(values as never).returning("id").executeTakeFirstOrThrow());
    expect(next.id).toBeGreaterThan(last);
  });

  test("writes only what is new, and shares the rest", async () => {
    const key = await keyOf(await uploadFile("unchanged"));
    const first = await backUp(fixtures.testApp, store);
    const before = objectNames(store);
    const again = await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
    expect([again.copied, objectNames(store)]).toEqual([{ count: 0, bytes: 0, rowBytes: 0 }, before]);
    const added = await uploadFile("added");
    const second = await backUp(fixtures.testApp, store, { now: () => Date.now() + 2_000 });
    expect(second.copied).toMatchObject({ count: 1, bytes: 5 });
    const files = await filesOf(store, second.snapshot);
    expect([files.has(key), files.has(await keyOf(added))]).toEqual([true, true]);
    expect((await filesOf(store, first.snapshot)).has(await keyOf(added))).toBe(false);
    expect(await findProblems(store)).toEqual([]);
  });

  test("copies a file only once that is stored twice", async () => {
    await uploadFile("twins", "a.wav");
    await uploadFile("twins", "b.wav");
    const { snapshot } = await backUp(fixtures.testApp, store);
    const hashes = [...(await filesOf(store, snapshot)).values()].map(([, sha256]) => sha256);
    expect(objectNames(store)).toHaveLength(new Set([...hashes, ...snapshot.files.chunks, ...snapshot.tables.flatMap(({ chunks }) => chunks)]).size);
    expect(new Set(hashes).size).toBeLessThan(hashes.length);
  });

  describe("of files that change meanwhile", () => {
    /** Calls `onOpen` before the first copy of a file. */
    function interfere(key: string, onOpen: () => Promise<void>): Storage {
      let isDone = false;
      const storage = openStorage(fixtures.testApp);
      return {
        ...storage,
        async open(opened, range) {
          if (opened === key && !isDone) {
            isDone = true;
            await onOpen();
          }
          return storage.open(opened, range);
        },
      };
    }

    test("leaves out a file that is removed before it is copied", async () => {
      const fileId = await uploadFile("removed");
      const key = await keyOf(fileId);
      const storage = interfere(key, async () => {
        await removeBytes(key);
        await removeRows(fileId, key);
      });
      const { snapshot } = await backUp(fixtures.testApp, store, { storage });
      expect([snapshot.missing, (await filesOf(store, snapshot)).has(key)]).toEqual([[], false]);
    });

    test("waits for the rows of a file whose bytes are already removed", async () => {
      const fileId = await uploadFile("half removed");
      const key = await keyOf(fileId);
      await removeBytes(key);
      let views = 0;
      const { database } = fixtures.testApp;
      const { snapshot, id } = await backUp(fixtures.testApp, store, {
        database: {
          ...database,
          read: database.read,
          backgroundRead: database.backgroundRead,
          // The view still names the file; the rows go once it is open.
          snapshot: (work) =>
            database.snapshot(async (view) => {
              if ((views += 1) === 1) await removeRows(fileId, key);
              return work(view);
            }),
        },
      });
      expect([views, snapshot.missing]).toEqual([2, []]);
      const place = await createEmptyPlace(engine);
      await restore(store, id, place);
      expect((await place.database.read.selectFrom("blobs").select("deleted_at").where("key", "=", key).executeTakeFirstOrThrow()).deleted_at).not.toBeNull();
    });

    test("has a file that is uploaded while others are copied, if it has its row", async () => {
      const key = await keyOf(await uploadFile("early"));
      let late = 0;
      const storage = interfere(key, async () => {
        late = await uploadFile("late");
      });
      const { snapshot } = await backUp(fixtures.testApp, store, { storage });
      expect((await filesOf(store, snapshot)).has(await keyOf(late))).toBe(true);
    });

    test("has the rows of one moment", async () => {
      const { testApp, owner, home } = fixtures;
      const { database } = testApp;
      const id = await createMessage(testApp, owner, home.project, "before the view");
      let later = 0;
      const backup = await backUp(testApp, store, {
        database: {
          ...database,
          read: database.read,
          backgroundRead: database.backgroundRead,
          snapshot: (work) =>
            database.snapshot(async (view) => {
              // PostgreSQL decides at the first statement which moment a view sees.
              await view.selectFrom("messages").select("id").limit(1).execute();
              later = await createMessage(testApp, owner, home.project, "after the view");
              return work(view);
            }),
        },
      });
      const place = await createEmptyPlace(engine);
      await restore(store, backup.id, place);
      const found = await place.database.read.selectFrom("messages").select("id").where("id", "in", [id, later]).execute();
      expect(found).toEqual([{ id }]);
    });
  });

  describe("of files that cannot be read", () => {
    test("lists them, has everything else, and keeps good copies of earlier backups", async () => {
      const [good, bad, gone] = [await uploadFile("good"), await uploadFile("bad"), await uploadFile("gone")];
      const [goodKey, badKey, goneKey] = [await keyOf(good), await keyOf(bad), await keyOf(gone)];
      const blobs = join(fixtures.testApp.config.dataDir, "files", "blobs");
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "BAD");
      await removeBytes(goneKey);
      const { snapshot } = await backUp(fixtures.testApp, store);
      expect(snapshot.missing.map(({ key, reason }) => [key, reason]).toSorted()).toEqual(
        [
          [badKey, "has other bytes than when it was uploaded"],
          [goneKey, "is not stored"],
        ].toSorted(),
      );
      expect((await filesOf(store, snapshot)).has(goodKey)).toBe(true);

      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "bad");
      await removeRows(gone, goneKey);
      expect((await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 })).snapshot.missing).toEqual([]);
      // From now on the store has the bytes, so that damage of the original no longer matters.
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "BAD");
      const last = await backUp(fixtures.testApp, store, { now: () => Date.now() + 2_000 });
      expect(last.snapshot.missing).toEqual([]);
      const place = await createEmptyPlace(engine);
      await restore(store, last.id, place);
      expect(Buffer.concat(await (await place.storage.open(badKey)).toArray()).toString()).toBe("bad");
      writeFileSync(join(blobs, badKey.slice(0, 2), badKey), "bad");
    });

    test("ends if the storage is out of reach, and adds no backup", async () => {
      await uploadFile("unreachable");
      const storage = { ...openStorage(fixtures.testApp), open: () => Promise.reject(new HttpError(503, "The file storage is unavailable.")) };
      await expect(backUp(fixtures.testApp, store, { storage })).rejects.toThrow("The file storage is unavailable.");
      expect(await store.listSnapshots()).toEqual([]);
    });
  });

  describe("in its folder", () => {
    test("is removed with what only it needs once newer ones are enough", async () => {
      const old = await uploadFile("old");
      const key = await keyOf(old);
      const { snapshot: first } = await backUp(fixtures.testApp, store);
      const [, sha256, size] = (await filesOf(store, first)).get(key)!;
      await removeBytes(key);
      await removeRows(old, key);
      const ids: string[] = [];
      for (const seconds of [1, 2]) ids.push((await backUp(fixtures.testApp, store, { now: () => Date.now() + seconds * 1_000 })).id);
      expect(await pruneBackups(store, 3)).toEqual({ snapshots: 0, bytes: 0 });
      expect(await store.has({ sha256, size })).toBe(true);
      expect((await pruneBackups(store, 2)).snapshots).toBe(1);
      expect(await store.has({ sha256, size })).toBe(false);
      expect([await store.listSnapshots(), await findProblems(store)]).toEqual([ids, []]);
      await restore(store, ids[0]!, await createEmptyPlace(engine));
    });

    test("is not followed by a removal if one of the backups cannot be read", async () => {
      const { id, snapshot } = await backUp(fixtures.testApp, store);
      await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
      const before = objectNames(store);
      rmSync(store.pathOf(snapshot.files.chunks[0]!));
      await expect(pruneBackups(store, 2)).rejects.toThrow("is missing");
      expect(objectNames(store)).toHaveLength(before.length - 1);
      expect(await store.listSnapshots()).toContain(id);
    });

    test("continues after an interrupted run, whose leftovers it removes", async () => {
      await uploadFile("first of all");
      let copies = 0;
      const interrupted = { ...store, writeObject: (source: AsyncIterable<Uint8Array>) => ((copies += 1) > 1 ? Promise.reject(new Error("killed")) : store.writeObject(source)) };
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
      const key = await keyOf(await uploadFile("precious"));
      const { id, snapshot } = await backUp(fixtures.testApp, store);
      damage(snapshot, (await filesOf(store, snapshot)).get(key)!);
      const place = await createEmptyPlace(engine);
      const error: Error = await restore(store, id, place).then(() => expect.unreachable("it was restored"), (thrown: Error) => thrown);
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

  describe("is restored", () => {
    test("only into an empty place", async () => {
      const { id } = await backUp(fixtures.testApp, store);
      const place = await createEmptyPlace(engine);
      await restore(store, id, place);
      const before = await readAllTables(place.database);
      await expect(restore(store, id, place)).rejects.toThrow("The database is not empty. Nothing was changed.");
      expect(await readAllTables(place.database)).toEqual(before);
      const { database } = await createEmptyPlace(engine);
      await place.storage.put(Readable.from([Buffer.from("other")]), { maxBytes: 5 });
      await expect(restore(store, id, { database, storage: place.storage })).rejects.toThrow("The file storage has files that are not part of this backup.");
      expect(await database.read.introspection.getTables()).toEqual([]);
    });

    test("in several runs, after which it is the same", async () => {
      await uploadFile("another");
      const { id } = await backUp(fixtures.testApp, store);
      const other = await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
      const place = await createEmptyPlace(engine);
      let puts = 0;
      const failingStorage: Storage = { ...place.storage, put: (...args) => ((puts += 1) > 2 ? Promise.reject(new Error("killed")) : place.storage.put(...args)) };
      await expect(restore(store, id, { database: place.database, storage: failingStorage })).rejects.toThrow("killed");
      await expect(migrate(place.database, { now: () => 1 })).rejects.toThrow("A restore or import into this database was interrupted.");
      await expect(restore(store, other.id, place)).rejects.toThrow(`The restore of another backup (${id}) was interrupted here.`);
      let writes = 0;
      const { database } = place;
      const failingDatabase = { ...database, read: database.read, backgroundRead: database.backgroundRead };
      failingDatabase.write = (work) => ((writes += 1) > MIGRATIONS.length + 20 ? Promise.reject(new Error("killed")) : database.write(work));
      await expect(restore(store, id, { database: failingDatabase, storage: place.storage })).rejects.toThrow("killed");
      const filled = Object.values(await readAllTables(database)).filter((rows) => rows.length > 0).length;
      expect(filled).toBeGreaterThan(3);
      await restore(store, id, place);
      expect(await readAllTables(database)).toEqual(await readAllTables(fixtures.testApp.database));
      await migrate(database, { now: () => 1 });
    });

    test("only by a version that knows its tables; later migrations run afterwards", async () => {
      const { id } = await backUp(fixtures.testApp, store);
      await expect(restore(store, id, await createEmptyPlace(engine), { migrations: MIGRATIONS.slice(0, -1) })).rejects.toThrow(
        /made by a newer version of Talkback \(.*044-projects-of-webhook-events/,
      );
      const later: Migration = { name: "999-later", up: async (tx) => void (await tx.schema.createTable("later").addColumn("id", "integer", (column) => column.primaryKey()).execute()) };
      const place = await createEmptyPlace(engine);
      await restore(store, id, place, { migrations: [...MIGRATIONS, later] });
      const { later: rows, ...tables } = await readAllTables(place.database);
      expect([rows, tables]).toEqual([[], await readAllTables(fixtures.testApp.database)]);
    });
  });
});
