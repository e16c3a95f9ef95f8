/** Backups of a test app, and empty places to restore them into. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Database, Engine } from "../../db/database.ts";
import { listTables, readRows } from "../../db/table-copy.ts";
import { openLocalDisk } from "../../storage/local-disk.ts";
import { createTestDatabase } from "../../testing/engines.ts";
import { openStorage } from "../../testing/files.ts";
import type { TestApp } from "../../testing/test-app.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";
import { type BackupStore, openBackupStore } from "./backup-store.ts";
import { createBackup, type CreateBackupOptions, type CreatedBackup } from "./create-backup.ts";
import { assertCanRestore, restoreBackup, type RestoreOptions } from "./restore-backup.ts";

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
export async function restore(store: BackupStore, id: string, place: Pick<EmptyPlace, "database" | "storage">, overrides: Partial<RestoreOptions> = {}): Promise<void> {
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
