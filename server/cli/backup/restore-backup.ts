/**
 * Fills an empty place from a backup: any engine, any storage. It can be interrupted and run again: files that are there and whole are skipped, and so are
 * tables, each of which is filled in one transaction. Until the end the database has an entry with which no service starts.
 */
import { existsSync } from "node:fs";
import { formatCount } from "../../../contract/text.ts";
import type { Database } from "../../db/database.ts";
import { MIGRATIONS, migrate, readMigrationNames, UNFINISHED_RESTORE } from "../../db/migrate.ts";
import type { Migration } from "../../db/migrations/migration.ts";
import { fillSearchIndex } from "../../db/search.ts";
import { fillRecordIndex, RECORD_KINDS } from "../../db/search-documents.ts";
import { countRows, insertRows, listTables, orderByReferences, readRows, type TableShape, withLateReferences, writeLastIds } from "../../db/table-copy.ts";
import type { Storage } from "../../storage/storage.ts";
import { CommandError } from "../command.ts";
import type { BackupStore } from "./backup-store.ts";
import { createCounter, inParallel } from "./parallel.ts";
import type { FileRow, Snapshot } from "./snapshot.ts";
import { createRowDigest, readStoredRows } from "./stored-rows.ts";
import { storeFile } from "./store-file.ts";

export interface RestoreTarget {
  database: Database;
  storage: Storage;
}

export interface RestoreOptions extends RestoreTarget {
  store: BackupStore;
  id: string;
  snapshot: Snapshot;
  /** Migrations of this version of Talkback (tests). */
  migrations?: Migration[];
  progress(line: string): void;
  now?: () => number;
}

const COPIES_AT_ONCE = 4;
const notEmpty = (what: string): CommandError =>
  new CommandError(
    `${what} Nothing was changed. Restore into an empty place: set DATA_DIR to a new folder, DATABASE_URL to a new database, and S3_BUCKET or S3_PREFIX to a place in the store that nothing else uses.`,
  );

/** Returns the id of the backup whose restore into this database was interrupted, or null for an empty database. Throws for any other. */
async function assertEmptyDatabase({ read, engine }: Database, snapshot: Snapshot): Promise<string | null> {
  const names = await readMigrationNames(read);
  const unfinished = names.find((name) => name.startsWith(UNFINISHED_RESTORE));
  if (unfinished !== undefined) return unfinished.slice(UNFINISHED_RESTORE.length);
  for (const { name } of await listTables(read, engine)) if ((await countRows(read, name)) > 0) throw notEmpty("The database is not empty.");
  const expected = new Set(snapshot.migrations.map(({ name }) => name));
  if (names.some((name) => !expected.has(name))) throw notEmpty("The database has tables of another version of Talkback.");
  return null;
}

/** Throws if the storage has files. `isContinued`: those that an interrupted restore of this backup may have left are accepted. */
async function assertEmptyStorage({ storage, store, snapshot }: RestoreOptions, isContinued: boolean): Promise<void> {
  const keys = new Set<string>();
  if (isContinued) for await (const rows of readStoredRows<FileRow>(store, snapshot.files)) for (const [key] of rows) keys.add(key);
  for await (const { key } of storage.list())
    if (!keys.has(key)) throw notEmpty(isContinued ? "The file storage has files that are not part of this backup." : "The file storage is not empty.");
}

/** Returns the migrations that had run when the backup was made. */
function migrationsOf({ madeBy, migrations: ran }: Snapshot, migrations: Migration[]): Migration[] {
  const unknown = ran.find(({ name }) => !migrations.some((migration) => migration.name === name));
  if (unknown)
    throw new CommandError(
      `The backup was made by a newer version of Talkback (${madeBy}, with the migration "${unknown.name}"). Restore it with that version.`,
    );
  return migrations.filter(({ name }) => ran.some((entry) => entry.name === name));
}

/** Throws if objects are missing or have another size. Whether their content is whole shows when they are read. */
async function assertComplete(store: BackupStore, snapshot: Snapshot): Promise<void> {
  for (const { chunks } of [...snapshot.tables, snapshot.files])
    for (const chunk of chunks)
      if (!existsSync(store.pathOf(chunk))) throw new CommandError(`The backup is damaged: ${store.pathOf(chunk)} is missing. Nothing was changed.`);
  for await (const rows of readStoredRows<FileRow>(store, snapshot.files))
    for (const [, sha256, size] of rows)
      if (!(await store.has({ sha256, size })))
        throw new CommandError(`The backup is damaged: ${store.pathOf(sha256)} is missing or cut short. Nothing was changed.`);
}

/** Throws unless this place is empty, or has what an interrupted restore of the same backup has left, and the backup is of a version that can be read. */
export async function assertCanRestore(options: RestoreOptions): Promise<void> {
  const { database, store, id, snapshot, migrations = MIGRATIONS } = options;
  migrationsOf(snapshot, migrations);
  await assertComplete(store, snapshot);
  const unfinished = await assertEmptyDatabase(database, snapshot);
  if (unfinished !== null && unfinished !== id)
    throw new CommandError(
      `The restore of another backup (${unfinished}) was interrupted here. Complete it with --snapshot ${unfinished}, or start in an empty place.`,
    );
  await assertEmptyStorage(options, unfinished !== null);
}

async function restoreFiles({ storage, store, snapshot, progress }: RestoreOptions): Promise<void> {
  const counts = createCounter("Restored", "files", progress);
  for await (const rows of readStoredRows<FileRow>(store, snapshot.files))
    await inParallel(rows, COPIES_AT_ONCE, async ([key, sha256, size]) => {
      await storeFile(storage, store, key, { sha256, size });
      counts.add(1, size);
    });
  progress(`${counts.describe()}.`);
}

type StoredTable = Snapshot["tables"][number];

/** Fills tables in one transaction, unless they are filled already. */
async function restoreGroup({ database, store }: RestoreOptions, group: readonly StoredTable[], onRows: (count: number) => void): Promise<void> {
  const { engine } = database;
  const isFilled = async ({ name, rows }: StoredTable): Promise<boolean> => (await countRows(database.read, name)) === rows;
  if ((await Promise.all(group.map(isFilled))).every(Boolean)) return group.forEach(({ rows }) => onRows(rows));
  const names = group.map(({ name }) => name);
  await database.write((tx) =>
    withLateReferences(tx, engine, names, async () => {
      for (const table of group)
        for await (const rows of readStoredRows(store, table)) {
          await insertRows(tx, engine, table.name, table.columns, rows);
          onRows(rows.length);
        }
    }),
  );
}

/** Fills all tables, and compares them with the backup. */
async function restoreTables(options: RestoreOptions): Promise<void> {
  const { database, snapshot, progress } = options;
  const shapes = await listTables(database.read, database.engine);
  const stored = new Map(snapshot.tables.map((table) => [table.name, table]));
  const different = shapes.find(({ name, columns }) => stored.get(name)?.columns.join() !== columns.join());
  if (different || shapes.length !== stored.size)
    throw new CommandError(`The backup has other tables than this version of Talkback (${different?.name ?? "one is unknown"}).`);
  const counts = createCounter("Restored", "rows", progress);
  for (const group of orderByReferences(shapes)) {
    const tables = group.map(({ name }) => stored.get(name)!);
    await restoreGroup(options, tables, (count) => counts.add(count));
  }
  progress(`${counts.describe()} of ${snapshot.tables.length} tables.`);
  for (const shape of shapes) await verifyTable(database, shape, stored.get(shape.name)!);
}

/** Throws unless the table has exactly the rows of the backup. */
async function verifyTable({ read }: Database, shape: TableShape, stored: StoredTable): Promise<void> {
  const digest = createRowDigest();
  for await (const page of readRows(read, { ...shape, columns: stored.columns })) for (const row of page) digest.add(`${JSON.stringify(row)}\n`);
  const { rows, digest: sum } = digest.result();
  if (rows !== stored.rows || sum !== stored.digest)
    throw new CommandError(
      `The table ${stored.name} is not what the backup has (${formatCount(rows)} rows of ${formatCount(stored.rows)}). The restore is not complete.`,
    );
}

async function verifyFiles({ storage, store, snapshot }: RestoreOptions): Promise<void> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of storage.list()) sizes.set(key, size);
  for await (const rows of readStoredRows<FileRow>(store, snapshot.files))
    for (const [key, , size] of rows)
      if (sizes.get(key) !== size) throw new CommandError(`The file ${key} is not in the storage. The restore is not complete.`);
}

/** Restores a backup into a place for which `assertCanRestore` passes. Throws without completing if anything differs from the backup. */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { database, id, snapshot, migrations = MIGRATIONS, progress, now = Date.now } = options;
  const clock = { now };
  const marker = UNFINISHED_RESTORE + id;
  const { engine } = database;
  await migrate(database, clock, migrationsOf(snapshot, migrations), { isRestoring: true });
  await database.write((tx) =>
    tx
      .insertInto("migrations")
      .values({ name: marker, applied_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  await restoreFiles(options);

  await restoreTables(options);
  await verifyFiles(options);
  progress("Compared every table and file with the backup.");

  await database.write((tx) => writeLastIds(tx, engine, snapshot.lastIds));
  await migrate(database, clock, migrations, { isRestoring: true });
  await database.write((tx) => fillSearchIndex(tx, engine));
  for (const kind of RECORD_KINDS) await database.write((tx) => fillRecordIndex(tx, engine, kind));
  progress("Filled the search indexes.");
  await database.write(async (tx) => {
    for (const { name, applied_at } of snapshot.migrations) await tx.updateTable("migrations").set({ applied_at }).where("name", "=", name).execute();
    await tx.deleteFrom("migrations").where("name", "=", marker).execute();
  });
}
