/** Reads and fills whole tables of either engine, for backups and for moving to another database. The search indexes are left out: they are filled anew. */
import { CompiledQuery, sql } from "kysely";
import type { Engine } from "./database.ts";
import type { Db, Tx } from "./schema.ts";
import { isSearchTable } from "./search-index.ts";

export interface TableShape {
  name: string;
  /** In alphabetical order, which is the same on both engines. */
  columns: string[];
  /** Columns of the primary key. */
  key: string[];
  /** Tables that its foreign keys refer to. */
  references: string[];
}

/** The values of a row's columns. */
export type TableRow = readonly unknown[];

const PAGE_SIZE = 500;
const ROWS_PER_STATEMENT = 50;

const columnsOf = (engine: Engine) =>
  engine === "postgres"
    ? sql<ColumnRow>`select c.table_name as "table", c.column_name as "column", coalesce(k.ordinal_position, 0) as key_position
        from information_schema.columns c
        join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
        left join information_schema.table_constraints p
          on p.table_schema = c.table_schema and p.table_name = c.table_name and p.constraint_type = 'PRIMARY KEY'
        left join information_schema.key_column_usage k
          on k.constraint_schema = p.constraint_schema and k.constraint_name = p.constraint_name and k.table_name = c.table_name and k.column_name = c.column_name
        where c.table_schema = current_schema()`
    : sql<ColumnRow>`select t.name as "table", c.name as "column", c.pk as key_position
        from sqlite_schema t cross join pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite~_%' escape '~'`;

const referencesOf = (engine: Engine) =>
  engine === "postgres"
    ? sql<ReferenceRow>`select source.relname as "table", target.relname as target, conname as name, pg_get_constraintdef(k.oid) as definition
        from pg_constraint k join pg_class source on source.oid = k.conrelid join pg_class target on target.oid = k.confrelid
        where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`
    : sql<ReferenceRow>`select t.name as "table", k."table" as target, '' as name, '' as definition
        from sqlite_schema t cross join pragma_foreign_key_list(t.name) k where t.type = 'table'`;

interface ColumnRow {
  table: string;
  column: string;
  key_position: number;
}
interface ReferenceRow {
  table: string;
  target: string;
  /** Of the constraint on PostgreSQL. */
  name: string;
  definition: string;
}

/** Lists all tables except those of the search indexes and `migrations`, in alphabetical order. Throws for a table without a primary key. */
export async function listTables(db: Db, engine: Engine): Promise<TableShape[]> {
  const { rows: columns } = await columnsOf(engine).execute(db);
  const { rows: references } = await referencesOf(engine).execute(db);
  const byTable = Map.groupBy(columns, ({ table }) => table);
  const names = [...byTable.keys()].filter((name) => name !== "migrations" && !isSearchTable(name)).toSorted();
  return names.map((name) => {
    const own = byTable.get(name) ?? [];
    const key = own.filter(({ key_position }) => key_position > 0).toSorted((a, b) => a.key_position - b.key_position);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key`);
    return {
      name,
      columns: own.map(({ column }) => column).toSorted(),
      key: key.map(({ column }) => column),
      references: [...new Set(references.filter(({ table }) => table === name).map(({ target }) => target))],
    };
  });
}

/** Groups tables so that each refers only to its own and to earlier groups. Tables that refer to one another are in one group. */
export function orderByReferences(tables: readonly TableShape[]): TableShape[][] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const reach = (table: TableShape, reached = new Set<string>()): Set<string> => {
    for (const name of table.references) {
      const target = byName.get(name);
      if (target && !reached.has(name)) reach(target, reached.add(name));
    }
    return reached;
  };
  const reachable = new Map(tables.map((table) => [table.name, reach(table)]));
  const groups: TableShape[][] = [];
  const ordered = new Set<string>();
  const add = (table: TableShape): void => {
    if (ordered.has(table.name)) return;
    const group = tables.filter(({ name }) => name === table.name || (reachable.get(table.name)?.has(name) && reachable.get(name)?.has(table.name)));
    for (const { name } of group) ordered.add(name);
    for (const { references } of group) for (const name of references) if (byName.has(name)) add(byName.get(name)!);
    groups.push(group);
  };
  for (const table of tables) add(table);
  return groups;
}

const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** Yields the rows in pages, in the order of the primary key. */
export async function* readRows(db: Db, { name, columns, key }: TableShape, pageSize = PAGE_SIZE): AsyncGenerator<TableRow[]> {
  let after: unknown[] | null = null;
  for (;;) {
    const next: ReturnType<typeof sql> = after === null ? sql`` : sql`where (${list(key)}) > (${sql.join(after)})`;
    const { rows } = await sql<
      Record<string, unknown>
    >`select ${list(columns)} from ${sql.table(name)} ${next} order by ${list(key)} limit ${pageSize}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column]));
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = key.map((column) => last[column]);
  }
}

export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

const quote = (name: string): string => `"${name}"`;

/** Inserts rows with these columns as they are, ids included. */
export async function insertRows(tx: Tx, engine: Engine, table: string, columns: readonly string[], rows: readonly TableRow[]): Promise<void> {
  for (let offset = 0; offset < rows.length; offset += ROWS_PER_STATEMENT) {
    const batch = rows.slice(offset, offset + ROWS_PER_STATEMENT);
    let position = 0;
    const placeholder = (): string => (engine === "postgres" ? `$${(position += 1)}` : "?");
    const values = batch.map((row) => `(${row.map(placeholder).join(", ")})`).join(", ");
    await tx.executeQuery(CompiledQuery.raw(`insert into ${quote(table)} (${columns.map(quote).join(", ")}) values ${values}`, batch.flat()));
  }
}

/** Runs `work`, which fills these tables, with the foreign keys between them checked at the end. */
export async function withLateReferences(tx: Tx, engine: Engine, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  if (engine === "sqlite") {
    await sql`pragma defer_foreign_keys = on`.execute(tx);
    return work();
  }
  const { rows } = await referencesOf(engine).execute(tx);
  const inner = rows.filter(({ table, target }) => tables.includes(table) && tables.includes(target));
  for (const { table, name } of inner) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx);
  await work();
  for (const { table, name, definition } of inner)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx);
}

/** Returns the last id that the engine has generated, for each table whose ids it generates. */
export async function readLastIds(db: Db, engine: Engine): Promise<Record<string, number>> {
  if (engine === "sqlite") {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db);
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
  }
  const { rows } = await sql<{
    table: string;
    sequence: string;
  }>`select table_name as "table", pg_get_serial_sequence(quote_ident(table_name), 'id') as sequence
    from information_schema.columns where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`.execute(db);
  const lastIds: Record<string, number> = {};
  for (const { table, sequence } of rows) {
    const { rows: values } = await sql<{ id: number }>`select case when is_called then last_value else 0 end as id from ${sql.raw(sequence)}`.execute(db);
    lastIds[table] = values[0]?.id ?? 0;
  }
  return lastIds;
}

/** Makes the engine go on after these ids, so that none is used twice. */
export async function writeLastIds(tx: Tx, engine: Engine, lastIds: Readonly<Record<string, number>>): Promise<void> {
  for (const [table, id] of Object.entries(lastIds)) {
    if (id === 0) continue;
    if (engine === "postgres") await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), ${id})`.execute(tx);
    else {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(tx);
    }
  }
}

/**
 * Returns the number of connections of other programs to the same PostgreSQL database. Own ones are those with the same application name. What a user may not
 * see of the connections of others is null.
 */
export async function countOtherConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
      and coalesce(backend_type, 'client backend') = 'client backend' and application_name is distinct from current_setting('application_name')`.execute(db);
  return rows[0]?.count ?? 0;
}
