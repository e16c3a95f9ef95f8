/** Runs the same tests on both database engines: SQLite in a temporary folder, PostgreSQL in a temporary database. */
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openPostgresDatabase, openSqliteDatabase, type Database, type Engine, type OpenOptions } from "../db/database.ts";

/** URL of a PostgreSQL server whose user can create databases; without it, tests run only on SQLite. */
const SERVER_URL = process.env["TEST_DATABASE_URL"] ?? "";

/** For `describe.each`. */
export const ENGINES: Engine[] = SERVER_URL ? ["sqlite", "postgres"] : ["sqlite"];

/** For fault tests of what hardly depends on the engine: both in `npm run faults`, SQLite in `npm test`. */
export const FAULT_ENGINES: Engine[] = process.env["TALKBACK_FAULT_ROUNDS"] ? ENGINES : ["sqlite"];

export interface TestDatabase {
  engine: Engine;
  /** Folder (SQLite) or URL (PostgreSQL) with which another process can open the same data. */
  location: string;
  /** Opens another connection to the same data, as a second process would. The caller closes it. */
  open(options?: OpenOptions): Database;
  /** Deletes the database. */
  drop(): Promise<void>;
}

const SQLITE_FILE = "talkback.db";

function createSqliteDatabase(template: string | null): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "talkback-test-"));
  if (template !== null) copyFileSync(join(template, SQLITE_FILE), join(folder, SQLITE_FILE));
  return {
    engine: "sqlite",
    location: folder,
    open: (options) => openSqliteDatabase(folder, options),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs one statement on the server's own database, for example to create or drop another one. */
async function runAsAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const databaseName = (url: string): string => new URL(url).pathname.slice(1);

/** Drops the PostgreSQL database at this URL, if it is still there. */
export const dropTestDatabase = (url: string): Promise<void> => runAsAdmin(`drop database if exists ${databaseName(url)} with (force)`);

async function createPostgresDatabase(template: string | null): Promise<TestDatabase> {
  const name = `talkback_test_${randomBytes(6).toString("hex")}`;
  await runAsAdmin(template === null ? `create database ${name}` : `create database ${name} template ${databaseName(template)}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  return {
    engine: "postgres",
    location: url.href,
    open: (options) => openPostgresDatabase(url.href, options),
    drop: () => dropTestDatabase(url.href),
  };
}

/** Copies the database at `template`, which must have no open connections; without a template, creates an empty, unmigrated database. */
export const createTestDatabase = async (engine: Engine, template: string | null = null): Promise<TestDatabase> =>
  engine === "sqlite" ? createSqliteDatabase(template) : createPostgresDatabase(template);
