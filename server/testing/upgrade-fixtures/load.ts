/** Opens the data of an upgrade fixture on either engine, as the version that made it left it. */
import { sql } from "kysely";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { Database, Engine } from "../../db/database.ts";
import { migrate, MIGRATIONS } from "../../db/migrate.ts";
import type { Tx } from "../../db/schema.ts";
import { systemClock } from "../../lib/clock.ts";
import { createTestDatabase, type TestDatabase } from "../engines.ts";
import { type UpgradeFixture, unpackFixture } from "./archive.ts";

export type Row = Record<string, SQLOutputValue>;
/** The rows of all tables, without the search indexes, whose rows are the engine's own. */
export type Rows = Record<string, Row[]>;

export interface FormerData {
  data: TestDatabase;
  /** The fixture's data folder. */
  folder: string;
  drop(): Promise<void>;
}

/** Reads all rows of a SQLite database, each table in the order in which its rows were written. */
export function readRows(folder: string): Rows {
  const database = new DatabaseSync(join(folder, "talkback.db"), { readOnly: true });
  const tables = database.prepare("select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'").all() as {
    name: string;
    sql: string;
  }[];
  const indexes = tables.filter(({ sql: text }) => /^create virtual/i.test(text)).map(({ name }) => name);
  const isOfIndex = (name: string) => indexes.some((index) => name === index || name.startsWith(`${index}_`));
  const rows = tables
    .filter(({ name }) => !isOfIndex(name))
    .map(({ name }) => {
      const statement = database.prepare(`select * from "${name}"`);
      statement.setReadBigInts(true);
      return [name, statement.all()] as const;
    });
  database.close();
  return Object.fromEntries(rows);
}

/** Copies rows into the same tables on PostgreSQL, whose schema must be that of the version; the order of the tables does not matter. */
async function copyRows(tx: Tx, rows: Rows): Promise<void> {
  // Rows refer to one another in both directions.
  await sql`set local session_replication_role = replica`.execute(tx);
  const { rows: columns } = await sql<{ table: string; column: string; sequence: string | null }>`
    select table_name as table, column_name as column, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'`.execute(tx);
  for (const [table, tableRows] of Object.entries(rows)) {
    if (table === "migrations") continue;
    const names = columns.filter((column) => column.table === table).map(({ column }) => column);
    for (const row of tableRows) {
      const values = names.filter((name) => name in row).map((name) => [name, row[name]] as const);
      const columnList = sql.join(values.map(([name]) => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${columnList}) overriding system value values (${sql.join(values.map(([, value]) => value))})`.execute(tx);
    }
    const serial = columns.find((column) => column.table === table && column.sequence !== null);
    if (serial && tableRows.length > 0)
      await sql`select setval(${serial.sequence}, (select max(${sql.ref(serial.column)}) from ${sql.table(table)}))`.execute(tx);
  }
}

/** Applies the migrations that a version had. */
export const migrateAs = (database: Database, { migrations }: UpgradeFixture): Promise<string[]> =>
  migrate(
    database,
    systemClock,
    MIGRATIONS.filter(({ name }) => migrations.includes(name)),
  );

/** Unpacks the fixture; on PostgreSQL, its rows are copied into the schema that the version's migrations make there. */
export async function loadFixture(engine: Engine, fixture: UpgradeFixture): Promise<FormerData> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-upgrade-"));
  // The first version had no files.
  mkdirSync(join(folder, "files"));
  unpackFixture(fixture, folder);
  const data = await createTestDatabase(engine);
  if (engine === "sqlite") cpSync(join(folder, "talkback.db"), join(data.location, "talkback.db"));
  else {
    const database = data.open();
    await migrateAs(database, fixture);
    await database.write((tx) => copyRows(tx, readRows(folder)));
    await database.close();
  }
  return {
    data,
    folder,
    async drop() {
      await data.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
