/** Backups of a running service, and their restores, on each engine. */
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { MIGRATIONS, migrate } from "../../db/migrate.ts";
import type { Migration } from "../../db/migrations/migration.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { checkStorage, type Storage } from "../../storage/storage.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { backUp, createEmptyPlace, createFileActions, createStore, filesOf, findProblems, objectNames, readAllTables, restore } from "./backup.fixture.ts";
import type { BackupStore } from "./backup-store.ts";

const DAY = 24 * 3_600_000;

describe.each(ENGINES)("a backup on %s", { timeout: 120_000 }, (engine) => {
  let fixtures: Fixtures;
  let store: BackupStore;
  let actions: ReturnType<typeof createFileActions>;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    actions = createFileActions(fixtures);
  });
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => {
    store = createStore();
  });

  test("restores every row, file and id, and the searches", async () => {
    const { testApp, owner, home } = fixtures;
    await actions.uploadFile("take one");
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
      const count = async ({ read }: typeof place.database) =>
        (
          await read
            .selectFrom(index as "messages")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .execute()
        )[0]?.count;
      expect(await count(place.database), index).toBeGreaterThan(0);
      expect(await count(place.database), index).toBe(await count(testApp.database));
    }
    const values = { project_id: home.project, account_id: owner.id, body: "next", created_at: 1 };
    const next = await place.database.write((tx) =>
      tx
        .insertInto("messages")
        .values(values as never)
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    expect(next.id).toBeGreaterThan(last);
  });

  test("writes only what is new, and shares the rest", async () => {
    const key = await actions.keyOf(await actions.uploadFile("unchanged"));
    const first = await backUp(fixtures.testApp, store);
    const before = objectNames(store);
    const again = await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
    expect([again.copied, objectNames(store)]).toEqual([{ count: 0, bytes: 0, rowBytes: 0 }, before]);
    const added = await actions.uploadFile("added");
    const second = await backUp(fixtures.testApp, store, { now: () => Date.now() + 2_000 });
    expect(second.copied).toMatchObject({ count: 1, bytes: 5 });
    const files = await filesOf(store, second.snapshot);
    expect([files.has(key), files.has(await actions.keyOf(added))]).toEqual([true, true]);
    expect((await filesOf(store, first.snapshot)).has(await actions.keyOf(added))).toBe(false);
    expect(await findProblems(store)).toEqual([]);
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

    /** Calls `onView` when a view of the database is open, before it is read. */
    function viewed(onView: () => Promise<void>): Database {
      const { database } = fixtures.testApp;
      return {
        ...database,
        snapshot: (work) =>
          database.snapshot(async (view) => {
            await onView();
            return work(view);
          }),
      };
    }

    test("leaves out a file that is removed before it is copied", async () => {
      const fileId = await actions.uploadFile("removed");
      const key = await actions.keyOf(fileId);
      const storage = interfere(key, async () => {
        await actions.removeBytes(key);
        await actions.removeRows(fileId, key);
      });
      const { snapshot } = await backUp(fixtures.testApp, store, { storage });
      expect([snapshot.missing, (await filesOf(store, snapshot)).has(key)]).toEqual([[], false]);
    });

    test("waits for the rows of a file whose bytes are already removed", async () => {
      const fileId = await actions.uploadFile("half removed");
      const key = await actions.keyOf(fileId);
      await actions.removeBytes(key);
      let views = 0;
      // The view still names the file; the rows go once it is open.
      const database = viewed(async () => {
        if ((views += 1) === 1) await actions.removeRows(fileId, key);
      });
      const { snapshot, id } = await backUp(fixtures.testApp, store, { database });
      expect([views, snapshot.missing]).toEqual([2, []]);
      const place = await createEmptyPlace(engine);
      await restore(store, id, place);
      expect((await place.database.read.selectFrom("blobs").select("deleted_at").where("key", "=", key).executeTakeFirstOrThrow()).deleted_at).not.toBeNull();
    });

    test("has a file that is uploaded while others are copied, if it has its row", async () => {
      const key = await actions.keyOf(await actions.uploadFile("early"));
      let late = 0;
      const storage = interfere(key, async () => {
        late = await actions.uploadFile("late");
      });
      const { snapshot } = await backUp(fixtures.testApp, store, { storage });
      expect((await filesOf(store, snapshot)).has(await actions.keyOf(late))).toBe(true);
    });

    test("has the rows of one moment", async () => {
      const { testApp, owner, home } = fixtures;
      const id = await createMessage(testApp, owner, home.project, "before the view");
      let later = 0;
      const database = viewed(async () => {
        later = await createMessage(testApp, owner, home.project, "after the view");
      });
      const backup = await backUp(testApp, store, { database });
      const place = await createEmptyPlace(engine);
      await restore(store, backup.id, place);
      const found = await place.database.read.selectFrom("messages").select("id").where("id", "in", [id, later]).execute();
      expect(found).toEqual([{ id }]);
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
      // The storage has only files of the backup, which the service that was restored first uses.
      const { database } = await createEmptyPlace(engine);
      const second = { database, storage: place.storage };
      await expect(restore(store, id, second)).rejects.toThrow(/^The file storage is not empty. Nothing was changed.*S3_BUCKET or S3_PREFIX/);
      await place.storage.put(Readable.from([Buffer.from("other")]), { maxBytes: 5 });
      await expect(restore(store, id, second)).rejects.toThrow("The file storage is not empty. Nothing was changed.");
      expect(await database.read.introspection.getTables()).toEqual([]);
    });

    test("in several runs, after which it is the same", async () => {
      await actions.uploadFile("another");
      const { id } = await backUp(fixtures.testApp, store);
      const other = await backUp(fixtures.testApp, store, { now: () => Date.now() + 1_000 });
      const place = await createEmptyPlace(engine);
      let puts = 0;
      const failingStorage: Storage = {
        ...place.storage,
        put: (...args) => ((puts += 1) > 2 ? Promise.reject(new Error("killed")) : place.storage.put(...args)),
      };
      await expect(restore(store, id, { database: place.database, storage: failingStorage })).rejects.toThrow("killed");
      await expect(migrate(place.database, { now: () => 1 })).rejects.toThrow("A restore or import into this database was interrupted.");
      await expect(restore(store, other.id, place)).rejects.toThrow(`The restore of another backup (${id}) was interrupted here.`);
      const stranger = await place.storage.put(Readable.from([Buffer.from("other")]), { maxBytes: 5 });
      await expect(restore(store, id, place)).rejects.toThrow("The file storage has files that are not part of this backup.");
      await place.storage.remove(stranger.key);
      let writes = 0;
      const { database } = place;
      const failingDatabase = { ...database, read: database.read, backgroundRead: database.backgroundRead };
      failingDatabase.write = (work) => ((writes += 1) > MIGRATIONS.length + 20 ? Promise.reject(new Error("killed")) : database.write(work));
      await expect(restore(store, id, { database: failingDatabase, storage: place.storage })).rejects.toThrow("killed");
      const filled = Object.values(await readAllTables(database)).filter((rows) => rows.length > 0).length;
      expect(filled).toBeGreaterThan(3);
      // As many rows as in the backup, but others.
      const rename = (name: string) => database.write((tx) => tx.updateTable("organisations").set({ name }).where("id", "=", 1).execute());
      const { name } = await database.read.selectFrom("organisations").select("name").where("id", "=", 1).executeTakeFirstOrThrow();
      await rename("changed meanwhile");
      await expect(restore(store, id, place)).rejects.toThrow("The table organisations is not what the backup has");
      await rename(name);
      await restore(store, id, place);
      expect(await readAllTables(database)).toEqual(await readAllTables(fixtures.testApp.database));
      await migrate(database, { now: () => 1 });
    });

    test("only by a version that knows its tables; later migrations run afterwards", async () => {
      const { id } = await backUp(fixtures.testApp, store);
      await expect(restore(store, id, await createEmptyPlace(engine), { migrations: MIGRATIONS.slice(0, -1) })).rejects.toThrow(
        `with the migration "${MIGRATIONS.at(-1)!.name}"`,
      );
      const later: Migration = {
        name: "999-later",
        up: async (tx) =>
          void (await tx.schema
            .createTable("later")
            .addColumn("id", "integer", (column) => column.primaryKey())
            .execute()),
      };
      const place = await createEmptyPlace(engine);
      await restore(store, id, place, { migrations: [...MIGRATIONS, later] });
      const { later: rows, ...tables } = await readAllTables(place.database);
      expect([rows, tables]).toEqual([[], await readAllTables(fixtures.testApp.database)]);
    });
  });
});
