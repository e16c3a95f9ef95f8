/**
 * Kysely dialect whose SQLite connections live in threads, so that a long statement does not block the event loop. A thread starts when it is first needed,
 * and ends when it has been idle for long, because it takes tens of megabytes; one that ends unexpectedly fails its pending statements and is replaced.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createSerialQueue } from "../lib/serial-queue.ts";
import { DatabaseThreadError } from "./engine-errors.ts";
import { createFairQueue, shareConnections } from "./fair-queue.ts";
import type { ThreadOptions, ThreadReply, ThreadRequest } from "./sqlite-thread-worker.ts";

export interface SqliteThreadDialect extends Dialect {
  /** Node's ids of the running threads. */
  threadIds(): number[];
}

/** Small enough that garbage is collected soon, and large enough for the longest result. */
const MEMORY_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };
const WORKER_URL = new URL("sqlite-thread-worker.ts", import.meta.url);

/** Long enough that somebody who searches again rarely waits for a thread to start. */
const IDLE_MS = 5 * 60_000;

/** `maxThreads`: maximum statements at a time, of which an account may have one; further ones wait. `idleMs`: after it an idle thread ends. */
export function createThreadDialect(options: ThreadOptions, maxThreads: number, idleMs = IDLE_MS): SqliteThreadDialect {
  const idle: ThreadConnection[] = [];
  const running = new Set<ThreadConnection>();
  async function endIdle(connection: ThreadConnection): Promise<void> {
    idle.splice(idle.indexOf(connection), 1);
    // A thread that fails while it closes its connection has ended too.
    await connection.end().catch(() => {});
    running.delete(connection);
  }
  const driver: Driver = {
    async init() {},
    async acquireConnection() {
      // The one that was used last, so that threads that are not needed become idle.
      let connection = idle.pop();
      clearTimeout(connection?.idleTimer);
      if (connection?.hasEnded) running.delete(connection);
      if (!connection || connection.hasEnded) connection = new ThreadConnection(options);
      running.add(connection);
      return connection;
    },
    async releaseConnection(released) {
      const connection = released as ThreadConnection;
      if (connection.hasEnded) return void running.delete(connection);
      idle.push(connection);
      connection.idleTimer = setTimeout(() => void endIdle(connection), idleMs).unref();
    },
    // `Database` begins and ends transactions with statements of its own.
    beginTransaction: rejectTransaction,
    commitTransaction: rejectTransaction,
    rollbackTransaction: rejectTransaction,
    async destroy() {
      for (const { idleTimer } of running) clearTimeout(idleTimer);
      await Promise.all([...running].map((connection) => connection.end()));
    },
  };
  return {
    createDriver: () => shareConnections(driver, createFairQueue({ atOnce: maxThreads, atOncePerAccount: 1 })),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ThreadAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    threadIds: () => [...running].filter(({ hasEnded }) => !hasEnded).map(({ threadId }) => threadId),
  };
}

class ThreadAdapter extends SqliteAdapter {
  /** Otherwise Kysely would run one statement at a time. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

const rejectTransaction = (): Promise<never> => Promise.reject(new Error("Begin transactions with Database.write or Database.backgroundWrite"));

class ThreadConnection implements DatabaseConnection {
  hasEnded = false;
  /** Runs while the connection is idle. */
  idleTimer: NodeJS.Timeout | undefined;
  readonly #worker: Worker;
  #pending: PromiseWithResolvers<ThreadReply> | null = null;
  #error: DatabaseThreadError | null = null;
  /** Statements of one connection run in the order of the calls. */
  readonly #inOrder = createSerialQueue();

  constructor(options: ThreadOptions) {
    // Node warns in each thread that `node:sqlite` is experimental.
    this.#worker = new Worker(WORKER_URL, { workerData: options, execArgv: ["--disable-warning=ExperimentalWarning"], resourceLimits: MEMORY_LIMITS });
    this.#worker.on("message", (reply: ThreadReply) => this.#pending?.resolve(reply));
    this.#worker.once("error", (error) => this.#fail(error));
    this.#worker.once("exit", (code) => this.#fail(`exit code ${code}`));
    // Only a pending statement keeps the process alive.
    this.#worker.unref();
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#inOrder(() => this.#run<R>(sql, parameters));
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The result of a thread cannot be streamed");
  }

  async end(): Promise<void> {
    if (this.hasEnded) return;
    this.#worker.ref();
    const exit = once(this.#worker, "exit");
    this.#worker.postMessage(null satisfies ThreadRequest, []);
    await exit;
  }

  #fail(cause: unknown): void {
    this.hasEnded = true;
    this.#error ??= new DatabaseThreadError(cause);
    this.#pending?.reject(this.#error);
  }

  async #run<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    this.#worker.ref();
    try {
      const rows: R[] = [];
      let reply = await this.#request({ sql, parameters });
      for (;;) {
        if ("error" in reply) throw Object.assign(new Error(reply.error.message), reply.error);
        for (const row of reply.rows) rows.push(row as R);
        if (reply.isLast) return { rows, ...reply.outcome };
        // Other work of the event loop comes between the parts of a large result.
        await setImmediate();
        reply = await this.#request("more");
      }
    } finally {
      this.#worker.unref();
    }
  }

  async #request(request: Exclude<ThreadRequest, null>): Promise<ThreadReply> {
    if (this.#error) throw this.#error;
    this.#pending = Promise.withResolvers<ThreadReply>();
    this.#worker.postMessage(request, []);
    return this.#pending.promise.finally(() => (this.#pending = null));
  }
}
