/** The only access to the database: reads anywhere, writes only in a transaction, on SQLite and PostgreSQL. */
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, PostgresDialect, type PostgresDialectConfig, sql, SqliteDialect } from "kysely";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isTransient, markConnectionErrors } from "./engine-errors.ts";
import { createFairQueue, type FairQueue, shareConnections } from "./fair-queue.ts";
import type { Db, Schema, Tx } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createThreadDialect } from "./sqlite-thread.ts";
import { createSqliteWrites, LOCK_SHARE, type LockShare, MAX_SHARED_MS } from "./sqlite-writes.ts";
import { rememberReadsOf } from "./until-commit.ts";
import { outsideTransaction, runAfterCommit, runLastSteps, runToCommit, withTransactionHooks } from "./transaction.ts";

export type Engine = "sqlite" | "postgres";

export interface Database {
  readonly engine: Engine;
  /** For reading outside a transaction. Throws inside one: it would not see the transaction's changes, and on SQLite could wait for itself. */
  readonly read: Db;
  /**
   * The same for statements that may take long. Accounts take turns with them, and leave the other connections to short statements; on SQLite they run in
   * other threads.
   */
  readonly backgroundRead: Db;
  /**
   * Runs `work` in one durable transaction; an error rolls everything back. Calls must not be nested.
   * After a deadlock on PostgreSQL `work` runs again, so it must have no side effects outside the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same for transactions with statements that may take long, by turns of the accounts. On SQLite they run in another thread, other writes wait for the
   * commit, and an account that keeps others waiting for much of the time waits itself, for as long as a write may wait; then it gets a 429.
   */
  backgroundWrite<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on the database as it is at one moment, on a connection of its own, while others write. For the command line: on SQLite the statements run
   * in this thread, and what others write meanwhile stays in the write-ahead log.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** PostgreSQL only: returns a dedicated connection for LISTEN. The caller ends it. */
  createListenClient(): pg.Client;
  /** SQLite only: returns a number that changes with each commit, of this or another process. */
  dataVersion(): number;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How long a write waits for another process before it fails. */
  maxWaitMs?: number;
  /** SQLite only: how long an account may keep others from writing. */
  lockShare?: LockShare;
  /** SQLite only: how long a transaction takes further waiting writes (tests). */
  maxSharedMs?: number;
  /** PostgreSQL only: the name that the server lists for the connections. */
  applicationName?: string;
  /** PostgreSQL only: called when a transaction runs again after a deadlock. */
  onRetry?: (error: unknown) => void;
}

const MAX_WAIT_MS = 10_000;
/** Maximum number of runs of a transaction that PostgreSQL aborts to resolve a deadlock. */
const MAX_RUNS = 4;
/** Long reads at a time on SQLite. */
const BACKGROUND_READERS = 2;
/** Connections to PostgreSQL, and how many of them long statements and other transactions may take: three are left to short reads, whatever waits for a lock. */
const POSTGRES_CONNECTIONS = 12;
const BACKGROUND_CONNECTIONS = { atOnce: 4, atOncePerAccount: 2 };
const WRITE_CONNECTIONS = { atOnce: 5, atOncePerAccount: 2 };

/** Opens `<folder>/talkback.db`, with one writing and one reading connection here, and others in threads for what takes long. */
export function openSqliteDatabase(
  folder: string,
  { maxWaitMs = MAX_WAIT_MS, lockShare = LOCK_SHARE, maxSharedMs = MAX_SHARED_MS }: OpenOptions = {},
): Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "talkback.db");
  // SQLite's own busy wait would block the event loop; `beginImmediate` waits asynchronously instead.
  const writer = openSqlite(file, { readOnly: false, busyTimeoutMs: 0 });
  const reader = openSqlite(file, { readOnly: true, busyTimeoutMs: 100 });
  const writerDb = new Kysely<Schema>({ dialect: new SqliteDialect({ database: writer }) });
  const readerDb = new Kysely<Schema>({ dialect: new SqliteDialect({ database: reader }) });
  const backgroundWriterDb = new Kysely<Schema>({ dialect: createThreadDialect({ file, readOnly: false, busyTimeoutMs: 0 }, 1) });
  const backgroundReaderDb = new Kysely<Schema>({ dialect: createThreadDialect({ file, readOnly: true, busyTimeoutMs: maxWaitMs }, BACKGROUND_READERS) });
  const dataVersion = reader.raw.prepare("PRAGMA data_version");
  const readDataVersion = () => (dataVersion.get() as { data_version: number }).data_version;
  const onCommit = rememberReadsOf(readerDb, readDataVersion);
  const { stopMaintenance, ...writes } = createSqliteWrites(writerDb, backgroundWriterDb, { maxWaitMs, lockShare, maxSharedMs, onCommit });

  return {
    engine: "sqlite",
    get read() {
      return outsideTransaction(readerDb);
    },
    get backgroundRead() {
      return outsideTransaction(backgroundReaderDb);
    },
    ...writes,
    async snapshot(work) {
      const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqlite(file, { readOnly: true, busyTimeoutMs: maxWaitMs }) }) });
      try {
        await sql`begin`.execute(db);
        // The first statement decides which moment the transaction sees, as on PostgreSQL.
        await sql`select name from sqlite_schema limit 1`.execute(db);
        return await work(db);
      } finally {
        await db.destroy();
      }
    },
    createListenClient: () => {
      throw new Error("createListenClient needs PostgreSQL");
    },
    dataVersion: readDataVersion,
    async close() {
      await stopMaintenance();
      for (const db of [readerDb, writerDb, backgroundReaderDb, backgroundWriterDb]) await db.destroy();
    },
  };
}

/** Marks what fails on the way to PostgreSQL, so that nobody takes a client's broken connection for a lost database. */
class MarkingDialect extends PostgresDialect {
  readonly #queue: FairQueue | null;

  constructor(config: PostgresDialectConfig, queue: FairQueue | null) {
    super(config);
    this.#queue = queue;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const marked = new WeakSet<DatabaseConnection>();
    driver.acquireConnection = async (options) => {
      const connection = await markConnectionErrors(() => acquire(options));
      if (!marked.has(connection)) {
        marked.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query, executeOptions) => markConnectionErrors(() => execute(query, executeOptions));
      }
      return connection;
    };
    return this.#queue ? shareConnections(driver, this.#queue) : driver;
  }
}

const INT8 = 20;
const NUMERIC = 1700;

/** Connects to PostgreSQL and parses its integers as numbers. */
export function openPostgresDatabase(url: string, { maxWaitMs = MAX_WAIT_MS, applicationName = "talkback", onRetry }: OpenOptions = {}): Database {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      (oid === INT8 || oid === NUMERIC) && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: POSTGRES_CONNECTIONS,
    types,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    lock_timeout: maxWaitMs,
  });
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on("error", () => {});
  // The same holds for a connection that breaks while in use; its user gets the error from the failing statement.
  pool.on("connect", (client) => void client.on("error", () => {}));
  const config: PostgresDialectConfig = {
    pool,
    // JIT compilation takes longer than any of our queries: without it a statement over many small tables takes a third of the time.
    // A statement turns it off, because the pool's `options` would replace those of PGOPTIONS and of the URL.
    onCreateConnection: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("set jit = off"))),
  };
  const db = new Kysely<Schema>({ dialect: new MarkingDialect(config, null) });
  const writeDb = new Kysely<Schema>({ dialect: new MarkingDialect(config, createFairQueue(WRITE_CONNECTIONS)) });
  const backgroundDb = new Kysely<Schema>({ dialect: new MarkingDialect(config, createFairQueue(BACKGROUND_CONNECTIONS)) });
  const writeWith =
    (connections: Kysely<Schema>): Database["write"] =>
    (work) =>
      withTransactionHooks(async (hooks) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            const result = await connections.transaction().execute(async (transaction) => {
              const tx = transaction as unknown as Tx;
              const value = await runToCommit(hooks, tx, work);
              await runLastSteps(tx, [hooks]);
              return value;
            });
            runAfterCommit(hooks);
            return result;
          } catch (error) {
            if (!isTransient(error) || attempt === MAX_RUNS) throw error;
            onRetry?.(error);
            await sleep(Math.random() * 20 * attempt);
          }
        }
      });
  return {
    engine: "postgres",
    get read() {
      return outsideTransaction(db);
    },
    get backgroundRead() {
      return outsideTransaction(backgroundDb);
    },
    write: writeWith(writeDb),
    backgroundWrite: writeWith(backgroundDb),
    snapshot: (work) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (view) => {
          await sql`select 1`.execute(view);
          return work(view);
        }),
    createListenClient: () => new pg.Client({ connectionString: url, application_name: "talkback-listen", connectionTimeoutMillis: 5_000 }),
    dataVersion: () => 0,
    async close() {
      await db.destroy();
      // All of them use the same pool, which outlives one that was never used, and would hold the process for ten seconds.
      if (!pool.ending) await pool.end();
    },
  };
}
