/** Writes very many rows into a SQLite database that nobody else uses: in one transaction, without waiting for the disk, with the indexes built at the end. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Opens `<folder>/talkback.db`, calls `work` in one transaction, and closes it durably. `tables`: those whose indexes are built afterwards. */
export function writeFast<T>(folder: string, tables: readonly string[], work: (database: DatabaseSync) => T, log: (step: string) => void): T {
  const database = new DatabaseSync(join(folder, "talkback.db"), { enableForeignKeyConstraints: false, timeout: 5_000 });
  // A crash leaves a broken file here, which a later run does not take for a data set.
  database.exec("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-400000; PRAGMA temp_store=MEMORY");
  const list = tables.map(() => "?").join(", ");
  const indexes = database.prepare(`select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${list})`).all(...tables) as {
    name: string;
    sql: string;
  }[];
  try {
    database.exec("begin");
    // Unique indexes too: building them checks what was written.
    for (const { name } of indexes) database.exec(`drop index "${name}"`);
    const result = work(database);
    log(`data set: building ${indexes.length} indexes`);
    for (const { sql } of indexes) database.exec(sql);
    database.exec("commit");
    database.exec("PRAGMA journal_mode=WAL");
    return result;
  } finally {
    database.close();
  }
}
