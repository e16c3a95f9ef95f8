/** Both engines for the same tests: SQLite in a folder of its own, PostgreSQL in a database of its own. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPostgresDatabase, openSqliteDatabase, type Database, type Engine, type OpenOptions } from "../db/database.ts";

/** A PostgreSQL server whose user may create databases; without it only SQLite is tested. */
const SERVER = process.env["TEST_DATABASE_URL"] ?? "";

/** For `describe.each`. */
export const ENGINES: Engine[] = SERVER ? ["sqlite", "postgres"] : ["sqlite"];

export interface TestDatabase {
  engine: Engine;
  /** Folder (SQLite) or address (PostgreSQL): what another process needs to open the same data. */
  location: string;
  /** Opens the same data again, as a second process would. The caller closes it. */
  open(options?: OpenOptions): Database;
  /** Deletes the data. */
  drop(): Promise<void>;
}

function sqliteFolder(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "talkback-test-"));
  return {
    engine: "sqlite",
    location: folder,
    open: (options) => openSqliteDatabase(folder, options),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs one statement as the server's administrator. */
async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function postgresDatabase(): Promise<TestDatabase> {
  const name = `talkback_test_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return {
    engine: "postgres",
    location: url.href,
    open: (options) => openPostgresDatabase(url.href, options),
    drop: () => administer(`drop database ${name} with (force)`),
  };
}

/** An empty database, not migrated. */
export const newTestDatabase = async (engine: Engine): Promise<TestDatabase> => (engine === "sqlite" ? sqliteFolder() : postgresDatabase());
