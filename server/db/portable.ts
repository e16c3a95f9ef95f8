/** The few places where the engines differ, behind names. */
import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, type SelectQueryBuilder } from "kysely";
import type { Engine } from "./database.ts";
import type { Db, Schema, Tx } from "./schema.ts";

export interface Migration {
  name: string;
  up(tx: Tx, engine: Engine): Promise<void>;
}

const idColumn = (engine: Engine) => (column: ColumnDefinitionBuilder) =>
  engine === "postgres" ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();

/** A new table with an `id` that is drawn by the engine and never used twice. */
export function createTableWithId(tx: Db, engine: Engine, name: string): CreateTableBuilder<string, string> {
  return tx.schema.createTable(name).addColumn("id", engine === "postgres" ? "bigint" : "integer", idColumn(engine));
}

/** Makes this transaction the only writer of the row until it ends. SQLite has one writer anyway. */
export async function lockTopic(tx: Tx, engine: Engine, topic: string): Promise<void> {
  if (engine === "sqlite") return;
  await sql`insert into topics (topic, seq) values (${topic}, 0) on conflict do nothing`.execute(tx);
  await sql`select seq from topics where topic = ${topic} for update`.execute(tx);
}

/** Lets only one transaction with this name go on at a time. SQLite has one writer anyway. */
export async function acquireAdvisoryLock(tx: Tx, engine: Engine, name: string): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Milliseconds by one clock for all who share the database: PostgreSQL's own. SQLite's only worker is asked for its own, `now`. */
export const databaseNow = (engine: Engine, now: number): RawBuilder<number> =>
  engine === "postgres" ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint` : sql<number>`${now}`;

const LOCK_CLAUSES = { share: sql`for share`, change: sql`for no key update`, delete: sql`for update skip locked` };

/**
 * Locks the rows that are selected until the transaction ends. `share`: nobody changes them meanwhile; `change`: nobody else
 * changes or shares them, but rows that refer to them may be written. `delete`: leaves out
 * what somebody else has locked. SQLite has one writer anyway.
 */
export function lockRows<T extends keyof Schema, O>(
  query: SelectQueryBuilder<Schema, T, O>,
  engine: Engine,
  mode: "share" | "change" | "delete",
): SelectQueryBuilder<Schema, T, O> {
  if (engine === "sqlite") return query;
  return query.modifyEnd(LOCK_CLAUSES[mode]);
}

/** After `cross join`: a table `one` with the texts of a JSON list, which a column of a table before it holds, as `value`. */
export const jsonTexts = (engine: Engine, column: string): RawBuilder<unknown> =>
  engine === "postgres" ? sql`lateral jsonb_array_elements_text(${sql.ref(column)}::jsonb) as one (value)` : sql`json_each(${sql.ref(column)}) as one`;

/** Ids for an `in (…)`, the last one repeated up to a multiple of 16: few lengths, so that statements stay prepared. */
export const padIds = (ids: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(ids.length / 16) * 16 }, (_, index) => ids[index] ?? ids.at(-1) ?? 0);

/** Draws the next `count` ids of a table, rising, for rows that refer to each other before they are written. */
export async function reserveIds(tx: Tx, engine: Engine, table: keyof Schema, count: number): Promise<number[]> {
  if (engine === "postgres") {
    const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count})`.execute(tx);
    return rows.map(({ id }) => id);
  }
  // The only writer; writing the rows moves the engine's own count along.
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(tx);
  const last = rows[0]?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + 1 + index);
}
