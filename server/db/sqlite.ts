/** Connects `node:sqlite` to Kysely's SQLite dialect and caches prepared statements. */
import { Kysely, SqliteDialect } from "kysely";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Schema } from "./schema.ts";

const MAX_PREPARED = 400;

export interface SqliteConnection {
  raw: DatabaseSync;
  db: Kysely<Schema>;
}

function adaptDatabase(raw: DatabaseSync) {
  const statements = new Map<string, ReturnType<typeof wrapStatement>>();
  const wrapStatement = (statement: StatementSync) => ({
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...(parameters as never[])),
    run: (parameters: readonly unknown[]) => {
      const { changes, lastInsertRowid } = statement.run(...(parameters as never[]));
      return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) };
    },
    iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as never[])),
  });
  return {
    close: () => raw.close(),
    prepare(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = wrapStatement(raw.prepare(sql));
        if (statements.size >= MAX_PREPARED) statements.delete(statements.keys().next().value as string);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

/** Opens one connection. The busy timeout is short because it blocks the event loop; `Database.write` retries on its own. */
export function openSqlite(file: string): SqliteConnection {
  const raw = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 100 });
  raw.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;");
  raw.exec("PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY;");
  return { raw, db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: adaptDatabase(raw) }) }) };
}
