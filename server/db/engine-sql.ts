/** SQL that differs between the database engines. */
import { sql, type ColumnDefinitionBuilder, type CreateTableBuilder, type RawBuilder, type SelectQueryBuilder } from "kysely";
import type { Engine } from "./database.ts";
import type { Db, Schema, Tx } from "./schema.ts";

const idColumn = (engine: Engine) => (column: ColumnDefinitionBuilder) =>
  engine === "postgres" ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();

/** Creates a table with an `id` that the engine generates and never reuses. */
export function createTableWithId(tx: Db, engine: Engine, name: string): CreateTableBuilder<string, string> {
  return tx.schema.createTable(name).addColumn("id", engine === "postgres" ? "bigint" : "integer", idColumn(engine));
}

/** Locks the topics' rows until the transaction ends, in one order, so that two such calls never deadlock. SQLite has one writer anyway. */
export async function lockTopics(tx: Tx, engine: Engine, topics: readonly string[]): Promise<void> {
  if (engine === "sqlite" || topics.length === 0) return;
  const sorted = topics.toSorted();
  await sql`insert into topics (topic, seq) select topic, 0 from unnest(${sorted}::text[]) as given (topic) on conflict do nothing`.execute(tx);
  await sql`select seq from topics where topic = any(${sorted}::text[]) order by topic collate "C" for update`.execute(tx);
}

/** Serializes transactions that use the same name. SQLite has one writer anyway. */
export async function acquireAdvisoryLock(tx: Tx, engine: Engine, name: string): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Time in milliseconds from one clock for all processes that share the database: PostgreSQL's own. SQLite has only one worker and uses its `now`. */
export const databaseNow = (engine: Engine, now: number): RawBuilder<number> =>
  engine === "postgres" ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint` : sql<number>`${now}`;

const LOCK_CLAUSES = { share: sql`for share`, update: sql`for no key update`, skipLocked: sql`for update skip locked` };

/**
 * Locks the selected rows until the transaction ends. `share`: nobody else can change them. `update`: nobody else can change them or lock them for
 * sharing, but rows that reference them can be written. `skipLocked`: skips rows that another transaction has locked, for claiming or deleting the
 * others. SQLite has one writer anyway.
 */
export function lockRows<T extends keyof Schema, O>(
  query: SelectQueryBuilder<Schema, T, O>,
  engine: Engine,
  mode: keyof typeof LOCK_CLAUSES,
): SelectQueryBuilder<Schema, T, O> {
  if (engine === "sqlite") return query;
  return query.modifyEnd(LOCK_CLAUSES[mode]);
}

/** For use after `cross join`: a table `one` whose `value` column lists the texts of a JSON array in a column of a preceding table. */
export const jsonTexts = (engine: Engine, column: string): RawBuilder<unknown> =>
  engine === "postgres" ? sql`lateral jsonb_array_elements_text(${sql.ref(column)}::jsonb) as one (value)` : sql`json_each(${sql.ref(column)}) as one`;

/**
 * Rows as a table `given` with these columns. They are one bound value, a JSON array: statements are limited in the number of values, and with another
 * number of rows would be others, which have to be prepared anew.
 */
export function givenRows<R extends object>(engine: Engine, rows: readonly R[], types: Record<keyof R & string, "text" | "bigint">): RawBuilder<unknown> {
  const columns = Object.entries<"text" | "bigint">(types);
  const json = JSON.stringify(rows);
  if (engine === "postgres")
    return sql`json_to_recordset(${json}::json) as given (${sql.join(columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})`;
  return sql`(select ${sql.join(columns.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`))} from json_each(${json})) as given`;
}

/** The values in `list`, a JSON array, for an `in` of a prepared statement, which has one placeholder for any number of them. */
export const givenValues = <Value extends number | string>(engine: Engine, list: string, type: Value extends number ? "bigint" : "text"): RawBuilder<Value> =>
  engine === "postgres"
    ? sql<Value>`(select value::${sql.raw(type)} from json_array_elements_text(${list}::json))`
    : sql<Value>`(select value from json_each(${list}))`;

/** The largest value of an integer column: PostgreSQL rejects comparisons with larger numbers. */
export const MAX_INT4 = 2 ** 31 - 1;

/** Pads ids for an `in (…)` by repeating the last one up to a multiple of 16, so that few distinct statements occur and stay prepared. */
export const padIds = <Id extends number | string>(ids: readonly Id[]): Id[] =>
  Array.from({ length: Math.ceil(ids.length / 16) * 16 }, (_, index) => (ids[index] ?? ids.at(-1)) as Id);

/** Reserves the next `count` ids of a table in ascending order, for rows that refer to each other before they are inserted. */
export async function reserveIds(tx: Tx, engine: Engine, table: keyof Schema, count: number): Promise<number[]> {
  if (engine === "postgres") {
    const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count})`.execute(tx);
    return rows.map(({ id }) => id);
  }
  // SQLite has no other writer now; inserting the rows advances the engine's own counter.
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(tx);
  const last = rows[0]?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + 1 + index);
}

/**
 * Drops the unique constraint of a column. SQLite can do so only by creating the table anew: its rows leave and return in one transaction, in which the
 * references to them are checked at the end.
 */
export async function dropUniqueConstraint(tx: Tx, engine: Engine, table: keyof Schema, column: string): Promise<void> {
  if (engine === "postgres") return void (await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(`${table}_${column}_key`)}`.execute(tx));
  const { rows } = await sql<{ type: string; sql: string }>`select type, sql from sqlite_schema where tbl_name = ${table} and sql is not null
    order by rootpage`.execute(tx);
  const definition = rows.find(({ type }) => type === "table")?.sql ?? "";
  const withoutUnique = definition.replace(new RegExp(`("${column}"[^,]*) unique`), "$1");
  if (withoutUnique === definition) throw new Error(`${table}.${column} has no unique constraint`);
  const copy = sql.ref(`${table}_copy`);
  await sql`pragma defer_foreign_keys = on`.execute(tx);
  await sql`create table ${copy} as select * from ${sql.ref(table)}`.execute(tx);
  const sequence = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(tx);
  await sql`drop table ${sql.ref(table)}`.execute(tx);
  await sql.raw(withoutUnique).execute(tx);
  await sql`insert into ${sql.ref(table)} select * from ${copy}`.execute(tx);
  for (const { seq } of sequence.rows) await sql`update sqlite_sequence set seq = ${seq} where name = ${table}`.execute(tx);
  await sql`drop table ${copy}`.execute(tx);
  for (const index of rows) if (index.type === "index") await sql.raw(index.sql).execute(tx);
}
