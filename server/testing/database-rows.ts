/** Reads and fills whole databases, for tests that compare everything that is stored. */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Schema, Tx } from "../db/schema.ts";

/** Rows as JSON by table. The content of search indexes of SQLite is left out except for which records are in them. */
export async function readAllRows({ read, engine }: Pick<Database, "read" | "engine">): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const { name } of await read.introspection.getTables()) {
    if (engine === "sqlite" && /_search(_words|_data|_idx|_config|_content)?$/.test(name)) continue;
    const { rows: found } = await sql<object>`select * from ${sql.table(name)}`.execute(read);
    rows.set(name, found.map((row) => JSON.stringify(row)).toSorted());
  }
  return rows;
}

/** Inserts a row with these values, and something in every other column that needs a value. */
export async function insertAnyRow(tx: Tx, table: keyof Schema, values: Record<string, unknown>): Promise<number> {
  const columns = (await tx.introspection.getTables()).find(({ name }) => name === table)?.columns ?? [];
  const missing = columns.filter(({ name, isNullable, hasDefaultValue, isAutoIncrementing }) => {
    return !(name in values) && !isNullable && !hasDefaultValue && !isAutoIncrementing && !(name === "id" && !("id" in values) && table !== "outbound_events");
  });
  const row = { ...Object.fromEntries(missing.map(({ name, dataType }) => [name, /int/i.test(dataType) ? 1 : "{}"])), ...values };
  const names = Object.keys(row);
  const { rows } = await sql<{ id?: number }>`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))}) returning *`.execute(tx);
  return rows[0]?.id ?? 0;
}
