/** Backups of a test app, and empty places to restore them into. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Database, Engine } from "../../db/database.ts";
import { listTables, readRows } from "../../db/table-copy.ts";
import { openLocalDisk } from "../../storage/local-disk.ts";
import { createTestDatabase } from "../../testing/engines.ts";
import { currentVersion, openStorage, upload } from "../../testing/files.ts";
import type { Fixtures } from "../../testing/fixtures.ts";
import type { TestApp } from "../../testing/test-app.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { type BackupStore, openBackupStore } from "./backup-store.ts";
import { checkBackup } from "./check-backup.ts";
import { createBackup, type CreateBackupOptions, type CreatedBackup } from "./create-backup.ts";
import { assertCanRestore, restoreBackup, type RestoreOptions } from "./restore-backup.ts";
import type { FileRow, Snapshot } from "./snapshot.ts";
import { readStoredRows } from "./stored-rows.ts";

/** Creates a folder that is removed with the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "talkback-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Backs up a test app as the command does. */
export async function backUp(testApp: TestApp, store: BackupStore, overrides: Partial<CreateBackupOptions> = {}): Promise<CreatedBackup> {
  const unlock = await store.lock();
  try {
    return await createBackup({
      database: testApp.database,
      storage: openStorage(testApp),
      recordedKeys: allRecordedKeys,
      masterKey: testApp.masterKey,
      store,
      includesKey: false,
      progress: () => {},
      retryDelayMs: 1,
      ...overrides,
    });
  } finally {
    unlock();
  }
}

export const createStore = (): BackupStore => openBackupStore(join(createFolder(), "backups"));

export interface EmptyPlace {
  database: Database;
  folder: string;
  storage: ReturnType<typeof openLocalDisk>;
}

export async function createEmptyPlace(engine: Engine): Promise<EmptyPlace> {
  const data = await createTestDatabase(engine);
  const database = data.open();
  const folder = createFolder();
  onTestFinished(async () => {
    await database.close();
    await data.drop();
  });
  return { database, folder, storage: openLocalDisk(folder) };
}

/** Restores as the command does. */
export async function restore(
  store: BackupStore,
  id: string,
  place: Pick<EmptyPlace, "database" | "storage">,
  overrides: Partial<RestoreOptions> = {},
): Promise<void> {
  const options = { ...place, store, id, snapshot: await store.readSnapshot(id), progress: () => {}, ...overrides };
  await assertCanRestore(options);
  await restoreBackup(options);
}

/** Returns the rows of every table as sorted texts, which are the same for the same rows on both engines. */
export async function readAllTables({ read, engine }: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of await listTables(read, engine)) {
    tables[table.name] = [];
    for await (const page of readRows(read, table, 7)) tables[table.name]!.push(...page.map((row) => JSON.stringify(row)));
    tables[table.name]!.sort();
  }
  return tables;
}

/** Returns the files of a backup by their keys. */
export async function filesOf(store: BackupStore, { files }: Snapshot): Promise<Map<string, FileRow>> {
  const rows = new Map<string, FileRow>();
  for await (const chunk of readStoredRows<FileRow>(store, files)) for (const row of chunk) rows.set(row[0], row);
  return rows;
}
/** Returns the names of all objects in the folder. */
export const objectNames = (store: BackupStore): string[] =>
  readdirSync(join(store.folder, "objects"), { recursive: true, encoding: "utf8" }).filter((name) => /[0-9a-f]{64}$/.test(name));
export const findProblems = async (store: BackupStore): Promise<string[]> => (await checkBackup(store, () => {})).problems;

/** What the tests do with the files of a test app. */
export function createFileActions({ testApp, owner, home }: Fixtures) {
  return {
    uploadFile: (bytes: string, name = `${bytes}.wav`) => upload(testApp, owner, { parent: home.root, name, bytes }),
    keyOf: async (fileId: number): Promise<string> => (await currentVersion(testApp, fileId)).blob_key,
    /** Removes a file as the cleanup of deleted files does: first the bytes, then the rows. */
    removeBytes: (key: string) => openStorage(testApp).remove(key),
    removeRows: (fileId: number, key: string) =>
      testApp.database.write(async (tx) => {
        await tx.updateTable("blobs").set({ deleted_at: Date.now() }).where("key", "=", key).execute();
        await tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", fileId).execute();
      }),
  };
}
