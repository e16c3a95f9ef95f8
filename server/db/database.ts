/** The only access to the database: reads anywhere, writes only in a transaction, on SQLite and PostgreSQL. */
import { CompiledQuery, type DatabaseConnection, type Driver, Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { HttpError } from "../lib/errors.ts";
import { isBusy, isTransient, markConnectionErrors } from "./engine-errors.ts";
import type { Db, Schema, Tx } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";
import { createThreadDialect } from "./sqlite-thread.ts";

export type Engine = "sqlite" | "postgres";

export interface Database {
  readonly engine: Engine;
  /** For reading outside a transaction. Throws inside one: it would not see the transaction's changes, and on SQLite could wait for itself. */
  readonly read: Db;
  /** The same for statements that may take long: on SQLite they run in other threads, so that other requests do not wait for them. */
  readonly backgroundRead: Db;
  /**
   * Runs `work` in one durable transaction; an error rolls everything back. Calls must not be nested.
   * After a deadlock on PostgreSQL `work` runs again, so it must have no side effects outside the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for transactions with statements that may take long: on SQLite they run in another thread. Other writes wait for the commit. */
  backgroundWrite<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** PostgreSQL only: returns a dedicated connection for LISTEN. The caller ends it. */
  createListenClient(): pg.Client;
  /** SQLite only: returns a number that changes with each commit, of this or another process. */
  dataVersion(): number;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How long a write waits for another process before it fails. */
  maxWaitMs?: number;
}

const MAX_WAIT_MS = 10_000;
/** Maximum delay between attempts to get the write lock; an importer leaves longer gaps between its writes. */
export const MAX_RETRY_DELAY_MS = 25;
/** Maximum number of runs of a transaction that PostgreSQL aborts to resolve a deadlock. */
const MAX_RUNS = 4;
/** Long reads at a time on SQLite. */
const BACKGROUND_READERS = 2;

const currentTransaction = new AsyncLocalStorage<{ afterCommit: (() => void)[] }>();

/** Calls `callback` after the surrounding transaction commits; never after a rollback. */
export function afterCommit(callback: () => void): void {
  const transaction = currentTransaction.getStore();
  if (!transaction) throw new Error("afterCommit is for use inside Database.write");
  transaction.afterCommit.push(callback);
}

function guardReads(db: Db): { get(): Db } {
  return {
    get() {
      if (currentTransaction.getStore()) throw new Error("Database.read was used inside a transaction: use its Tx");
      return db;
    },
  };
}

async function withTransactionContext<T>(work: (hooks: { afterCommit: (() => void)[] }) => Promise<T>): Promise<T> {
  if (currentTransaction.getStore()) throw new Error("Database.write was called inside a transaction: use its Tx");
  const hooks = { afterCommit: [] as (() => void)[] };
  return currentTransaction.run(hooks, () => work(hooks));
}

/** The change is committed, so an error in a callback must not reach the caller of `write`. */
function runAfterCommit(callbacks: (() => void)[]): void {
  currentTransaction.exit(() => {
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  });
}

/** Opens `<folder>/talkback.db`, with one writing and one reading connection here, and others in threads for what takes long. */
export function openSqliteDatabase(folder: string, { maxWaitMs = MAX_WAIT_MS }: OpenOptions = {}): Database {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "talkback.db");
  // SQLite's own busy wait would block the event loop; `beginImmediate` waits asynchronously instead.
  const writer = openSqlite(file, { readOnly: false, busyTimeoutMs: 0 });
  const reader = openSqlite(file, { readOnly: true, busyTimeoutMs: 100 });
  const writerDb = new Kysely<Schema>({ dialect: new SqliteDialect({ database: writer }) });
  const readerDb = new Kysely<Schema>({ dialect: new SqliteDialect({ database: reader }) });
  const backgroundWriterDb = new Kysely<Schema>({ dialect: createThreadDialect({ file, readOnly: false, busyTimeoutMs: 0 }, 1) });
  const backgroundReaderDb = new Kysely<Schema>({ dialect: createThreadDialect({ file, readOnly: true, busyTimeoutMs: maxWaitMs }, BACKGROUND_READERS) });
  const read = guardReads(readerDb);
  const backgroundRead = guardReads(backgroundReaderDb);

  async function beginImmediate(connection: Db, deadline: number): Promise<void> {
    for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
      try {
        await sql`BEGIN IMMEDIATE`.execute(connection);
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() > deadline) throw new HttpError(503, "The database is in use by another program. Nothing was saved. Try again.", { retryAfter: 2 });
        await sleep(delayMs);
      }
    }
  }

  async function runTransaction<T>(connection: Db, work: (tx: Tx) => Promise<T>, deadline: number): Promise<T> {
    await beginImmediate(connection, deadline);
    try {
      const result = await work(connection as Tx);
      await sql`COMMIT`.execute(connection);
      return result;
    } catch (error) {
      // Fails if a full disk has caused a rollback already, or if the thread has ended, which rolls back too.
      await sql`ROLLBACK`.execute(connection).catch(() => {});
      throw error;
    }
  }

  /** Settles with the last transaction. Those of both writing connections run in the order of the calls, so that neither makes the other wait forever. */
  let last: Promise<unknown> = Promise.resolve();
  const writeWith =
    (db: Db): Database["write"] =>
    (work) =>
      withTransactionContext((hooks) => {
        // Starts before queueing, so that writes queued behind a lock do not each wait the full time.
        const deadline = Date.now() + maxWaitMs;
        const run = async (connection: Db) => {
          const result = await runTransaction(connection, work, deadline);
          runAfterCommit(hooks.afterCommit);
          return result;
        };
        const transaction = last.then(() => db.connection().execute(run));
        last = transaction.catch(() => {});
        return transaction;
      });

  return {
    engine: "sqlite",
    get read() {
      return read.get();
    },
    get backgroundRead() {
      return backgroundRead.get();
    },
    write: writeWith(writerDb),
    backgroundWrite: writeWith(backgroundWriterDb),
    createListenClient: () => {
      throw new Error("createListenClient needs PostgreSQL");
    },
    dataVersion: () => (reader.raw.prepare("PRAGMA data_version").get() as { data_version: number }).data_version,
    async close() {
      for (const db of [readerDb, writerDb, backgroundReaderDb, backgroundWriterDb]) await db.destroy();
    },
  };
}

/** Marks what fails on the way to PostgreSQL, so that nobody takes a client's broken connection for a lost database. */
class MarkingDialect extends PostgresDialect {
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
    return driver;
  }
}

const INT8 = 20;
const NUMERIC = 1700;

/** Connects to PostgreSQL and parses its integers as numbers. */
export function openPostgresDatabase(url: string, { maxWaitMs = MAX_WAIT_MS }: OpenOptions = {}): Database {
  const types = {
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      (oid === INT8 || oid === NUMERIC) && format !== "binary" ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    application_name: "talkback",
    connectionTimeoutMillis: 5_000,
    lock_timeout: maxWaitMs,
  });
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on("error", () => {});
  // The same holds for a connection that breaks while in use; its user gets the error from the failing statement.
  pool.on("connect", (client) => void client.on("error", () => {}));
  const db = new Kysely<Schema>({
    dialect: new MarkingDialect({
      pool,
      // JIT compilation takes longer than any of our queries: without it a statement over many small tables takes a third of the time.
      // A statement turns it off, because the pool's `options` would replace those of PGOPTIONS and of the URL.
      onCreateConnection: async (connection) => void (await connection.executeQuery(CompiledQuery.raw("set jit = off"))),
    }),
  });
  const read = guardReads(db);
  const write: Database["write"] = (work) =>
    withTransactionContext(async (hooks) => {
      for (let attempt = 1; ; attempt += 1) {
        hooks.afterCommit.length = 0;
        try {
          const result = await db.transaction().execute((transaction) => work(transaction as unknown as Tx));
          runAfterCommit(hooks.afterCommit);
          return result;
        } catch (error) {
          if (!isTransient(error) || attempt === MAX_RUNS) throw error;
          await sleep(Math.random() * 20 * attempt);
        }
      }
    });
  return {
    engine: "postgres",
    get read() {
      return read.get();
    },
    get backgroundRead() {
      return read.get();
    },
    write,
    backgroundWrite: write,
    createListenClient: () => new pg.Client({ connectionString: url, application_name: "talkback-listen", connectionTimeoutMillis: 5_000 }),
    dataVersion: () => 0,
    close: () => db.destroy(),
  };
}
