/** Opens connections of `node:sqlite` with cached prepared statements, for Kysely's SQLite dialect and for the threads of `sqlite-thread.ts`. */
import { DatabaseSync, type StatementSync } from "node:sqlite";

const MAX_PREPARED = 400;

/**
 * When the write-ahead log has so many pages of 4 KB, a commit copies them into the database file. `sqlite-maintenance.ts` does so before, unless its thread has
 * failed, a long read keeps the log from beginning anew, or few writes fill it.
 */
const MAX_LOG_PAGES = 20_000;

export interface SqliteConnection {
  raw: DatabaseSync;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export type SqliteStatement = ReturnType<typeof wrapStatement>;

const wrapStatement = (statement: StatementSync) => ({
  reader: statement.columns().length > 0,
  all: (parameters: readonly unknown[]) => statement.all(...(parameters as never[])),
  run: (parameters: readonly unknown[]) => {
    const { changes, lastInsertRowid } = statement.run(...(parameters as never[]));
    return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) };
  },
  iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as never[])),
});

export interface SqliteOptions {
  readOnly: boolean;
  /** How long SQLite itself waits for a lock, which blocks the thread. */
  busyTimeoutMs: number;
}

export function openSqlite(file: string, { readOnly, busyTimeoutMs }: SqliteOptions): SqliteConnection {
  // Switching to WAL needs a lock for a moment, so here every connection waits for it.
  const raw = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 100 });
  raw.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;");
  raw.exec(`PRAGMA wal_autocheckpoint=${MAX_LOG_PAGES}`);
  raw.exec(`PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY; PRAGMA busy_timeout=${busyTimeoutMs};`);
  if (readOnly) raw.exec("PRAGMA query_only=1");
  const statements = new Map<string, SqliteStatement>();
  return {
    raw,
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = wrapStatement(raw.prepare(sql));
        if (statements.size >= MAX_PREPARED) statements.delete(statements.keys().next().value as string);
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => raw.close(),
  };
}
