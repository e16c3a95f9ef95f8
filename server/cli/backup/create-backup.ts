/**
 * Makes a backup while the service runs. Files are copied first, which takes long and holds nothing up; then a view of one moment of the database is
 * opened, what it names beyond that is copied, and its rows are stored. A file that was removed in between is missing for this view, so another view is
 * opened, which no longer names it: a finished backup has everything that it names.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { MIGRATIONS, readMigrationNames } from "../../db/migrate.ts";
import type { Db } from "../../db/schema.ts";
import { listTables, readLastIds, readRows, type TableRow } from "../../db/table-copy.ts";
import { findMasterKeyIssue } from "../../modules/webhooks/repository.ts";
import { createEndpointSecrets } from "../../modules/webhooks/secrets.ts";
import type { RecordedKey, Storage } from "../../storage/storage.ts";
import { CommandError } from "../command.ts";
import type { BackupStore, StoredObject } from "./backup-store.ts";
import { createFileCopies, type NamedFiles } from "./file-copies.ts";
import { createCounter } from "./parallel.ts";
import { type FileRow, fingerprintOf, type Snapshot } from "./snapshot.ts";
import { readStoredRows, writeRows } from "./stored-rows.ts";

export interface BackupSource {
  database: Database;
  storage: Storage;
  recordedKeys: (db: Db) => AsyncIterable<RecordedKey>;
  masterKey: Buffer;
}

export interface CreateBackupOptions extends BackupSource {
  store: BackupStore;
  /** Stores the master key too. */
  includesKey: boolean;
  progress(line: string): void;
  /** Called before the backup is completed; throws if others may have changed the database. */
  assertStopped?(): Promise<void>;
  now?: () => number;
  /** How long to wait before another view is opened. */
  retryDelayMs?: number;
}

export interface CreatedBackup {
  id: string;
  snapshot: Snapshot;
  /** What this backup has added to the store. */
  copied: { count: number; bytes: number; rowBytes: number };
}

/** Views of the database that are opened before a file counts as missing. */
const MAX_VIEWS = 5;
/** Rounds of copying before the first view, each of which leaves less to the next one. */
const MAX_ROUNDS = 3;

async function assertCurrentSchema({ read }: Database): Promise<void> {
  const names = new Set(await readMigrationNames(read));
  if (names.size === 0) throw new CommandError("There is no database to back up. Check DATA_DIR and DATABASE_URL.");
  if (names.size !== MIGRATIONS.length || !MIGRATIONS.every(({ name }) => names.has(name)))
    throw new CommandError("The database is not of this version of Talkback. Make the backup with the version that runs, or start this version once.");
}

/** Returns the last readable snapshot; null if there is none. */
async function readLastSnapshot(store: BackupStore): Promise<Snapshot | null> {
  for (const id of (await store.listSnapshots()).toReversed())
    try {
      return await store.readSnapshot(id);
    } catch (error) {
      // `check-backup` reports damaged ones.
      if (!(error instanceof CommandError)) throw error;
    }
  return null;
}

/** Backups of another installation would be removed in favor of this one's. */
function assertSameInstallation({ folder }: BackupStore, last: Snapshot | null, masterKey: Buffer): void {
  if (last && last.masterKey.fingerprint !== fingerprintOf(masterKey))
    throw new CommandError(
      `${folder} has backups of another installation: the last one (${last.createdAt}) was made with another master key. Nothing was done. Choose another folder, or set the MASTER_KEY (or DATA_DIR) of that installation.`,
    );
}

/** Returns what a snapshot knows of files, so that those without a recorded hash need not be read again. */
async function loadEarlierFiles(store: BackupStore, last: Snapshot | null): Promise<Map<string, StoredObject>> {
  const known = new Map<string, StoredObject>();
  if (!last) return known;
  try {
    for await (const rows of readStoredRows<FileRow>(store, last.files)) for (const [key, sha256, size] of rows) known.set(key, { sha256, size });
  } catch (error) {
    // A damaged list saves no work; `check-backup` reports it.
    if (!(error instanceof CommandError)) throw error;
  }
  return known;
}

async function* counting(pages: AsyncIterable<TableRow[]>, counts: { add(rows: number): void }): AsyncGenerator<TableRow[]> {
  for await (const page of pages) {
    counts.add(page.length);
    yield page;
  }
}

/** Stores the rows of a view. */
async function storeRows(view: Db, named: NamedFiles, { database, store, masterKey, includesKey, progress, now = Date.now }: CreateBackupOptions) {
  const createdAt = new Date(now()).toISOString();
  let rowBytes = 0;
  const tables: Snapshot["tables"] = [];
  const counts = createCounter("Stored", "rows", progress);
  for (const table of await listTables(view, database.engine)) {
    const { newBytes, ...stored } = await writeRows(store, counting(readRows(view, table), counts));
    rowBytes += newBytes;
    tables.push({ name: table.name, columns: table.columns, ...stored });
  }
  progress(`${counts.describe()} of ${tables.length} tables.`);
  const { newBytes, ...files } = await writeRows(store, [named.files]);
  const snapshot: Snapshot = {
    format: 1,
    madeBy: VERSION,
    createdAt,
    migrations: await view.selectFrom("migrations").selectAll().orderBy("name").execute(),
    tables,
    lastIds: await readLastIds(view, database.engine),
    files: { ...files, bytes: named.files.reduce((sum, [, , size]) => sum + size, 0) },
    missing: named.missing,
    masterKey: { fingerprint: fingerprintOf(masterKey), value: includesKey ? masterKey.toString("base64") : null },
  };
  return { snapshot, rowBytes: rowBytes + newBytes };
}

/** Makes a backup. The caller holds the lock of the store. Throws for a full disk and for a storage that is out of reach; nothing else depends on what it has written then. */
export async function createBackup(options: CreateBackupOptions): Promise<CreatedBackup> {
  const { database, storage, store, recordedKeys, masterKey, progress, retryDelayMs = 250 } = options;
  await assertCurrentSchema(database);
  const last = await readLastSnapshot(store);
  assertSameInstallation(store, last, masterKey);
  const keyIssue = await findMasterKeyIssue(database.read, createEndpointSecrets(masterKey));
  if (keyIssue !== null) throw new CommandError(`${keyIssue} Nothing was done.`);
  const counts = createCounter("Copied", "files", progress);
  const copies = createFileCopies({ storage, store, recordedKeys, earlier: await loadEarlierFiles(store, last), onCopied: (size) => counts.add(1, size) });
  for (let round = 1; round <= MAX_ROUNDS; round += 1) if ((await copies.copyAll(database.read)).newCount === 0) break;
  for (let attempt = 1; ; attempt += 1) {
    const result = await database.snapshot(async (view) => {
      const named = await copies.copyAll(view);
      return named.missing.length > 0 && attempt < MAX_VIEWS ? null : storeRows(view, named, options);
    });
    if (result) {
      const { snapshot, rowBytes } = result;
      await options.assertStopped?.();
      return { id: await store.writeSnapshot(snapshot), snapshot, copied: { ...counts.totals, rowBytes } };
    }
    await sleep(retryDelayMs * attempt);
  }
}
