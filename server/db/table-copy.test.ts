/** Moves a database with a row in every table, and a value in every column, to each engine. */
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, ENGINES } from "../testing/engines.ts";
import type { Database, Engine } from "./database.ts";
import { migrate } from "./migrate.ts";
import { insertRows, listTables, orderByReferences, readLastIds, readRows, type TableRow, withLateReferences, writeLastIds } from "./table-copy.ts";

async function createMigrated(engine: Engine): Promise<Database> {
  const data = await createTestDatabase(engine);
  const database = data.open();
  onTestFinished(async () => {
    await database.close();
    await data.drop();
  });
  await migrate(database, { now: () => 1 });
  return database;
}

/** Inserts a row into each table; the foreign keys of all refer to the row with the id 1, or the text, that every table has. */
async function fillEveryTable({ write, engine }: Database): Promise<Map<string, Record<string, unknown>>> {
  const inserted = new Map<string, Record<string, unknown>>();
  await write(async (tx) => {
    const tables = await listTables(tx, engine);
    const types = new Map(
      (await tx.introspection.getTables()).map(({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column.dataType]))]),
    );
    await withLateReferences(
      tx,
      engine,
      tables.map(({ name }) => name),
      async () => {
        for (const { name, columns } of tables) {
          const row = columns.map((column) => {
            const type = types.get(name)?.get(column) ?? "";
            return /int/i.test(type) ? 1 : /float|double/i.test(type) ? 0.1 + 0.2 : 'naïve 🎚\n"text"';
          });
          await insertRows(tx, engine, name, columns, [row]);
          inserted.set(name, Object.fromEntries(columns.map((column, index) => [column, row[index]])));
        }
      },
    );
  });
  return inserted;
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const readAll = async ({ read, engine }: Database): Promise<Map<string, TableRow[]>> => {
  const all = new Map<string, TableRow[]>();
  for (const table of await listTables(read, engine)) all.set(table.name, (await collect(readRows(read, table))).flat());
  return all;
};

describe.each(ENGINES)("the tables of %s", { timeout: 120_000 }, (engine) => {
  test("are all there, apart from the indexes of the search", async () => {
    const { read } = await createMigrated(engine);
    const names = (await read.introspection.getTables()).map(({ name }) => name);
    const listed = (await listTables(read, engine)).map(({ name }) => name);
    expect(names.filter((name) => !listed.includes(name) && !/^(message|comment|file|task|playlist|project|document|account)_search/.test(name))).toEqual([
      "migrations",
    ]);
    expect(listed.length).toBeGreaterThan(70);
  });

  test("are ordered after the tables that they refer to, or with them", async () => {
    const { read } = await createMigrated(engine);
    const groups = orderByReferences(await listTables(read, engine));
    const earlier = new Set<string>();
    for (const group of groups) {
      for (const { name } of group) earlier.add(name);
      for (const { name, references } of group) for (const target of references) expect(earlier, `${name} refers to ${target}`).toContain(target);
    }
    expect(groups.filter(({ length }) => length > 1).map((group) => group.map(({ name }) => name))).toEqual([["file_statuses", "teams"]]);
  });

  test.each(ENGINES)("are the same on %s afterwards, with every value", async (targetEngine) => {
    const source = await createMigrated(engine);
    const inserted = await fillEveryTable(source);
    const rows = await readAll(source);
    for (const [name, row] of inserted) expect(rows.get(name), name).toEqual([Object.values(row)]);

    const target = await createMigrated(targetEngine);
    const shapes = await listTables(target.read, targetEngine);
    expect(shapes.map(({ name, columns }) => [name, columns])).toEqual((await listTables(source.read, engine)).map(({ name, columns }) => [name, columns]));
    for (const group of orderByReferences(shapes))
      await target.write((tx) =>
        withLateReferences(
          tx,
          targetEngine,
          group.map(({ name }) => name),
          async () => {
            for (const { name, columns } of group) await insertRows(tx, targetEngine, name, columns, rows.get(name) ?? []);
          },
        ),
      );
    expect(await readAll(target)).toEqual(rows);

    await target.write((tx) => writeLastIds(tx, targetEngine, { messages: 41, tasks: 0 }));
    expect(await readLastIds(target.read, targetEngine)).toMatchObject({ messages: 41 });
    const values = { project_id: 1, account_id: 1, body: "", created_at: 1 };
    const { id } = await target.write((tx) =>
      tx
        .insertInto("messages")
        .values(values as never)
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    expect(id).toBe(42);
    // The foreign keys are in force again.
    await expect(
      target.write((tx) =>
        tx
          .insertInto("messages")
          .values({ ...values, parent_id: 999 } as never)
          .execute(),
      ),
    ).rejects.toThrow(/foreign key/i);
    await expect(target.write((tx) => tx.updateTable("teams").set({ default_status_id: 999 }).execute())).rejects.toThrow(/foreign key/i);
  });

  test("are read in pages of the order of their keys", async () => {
    const database = await createMigrated(engine);
    const tables = await listTables(database.read, engine);
    const events = tables.find(({ name }) => name === "events")!;
    const rows = Array.from({ length: 23 }, (_, index) => ({
      topic: `project:${index % 3}`,
      seq: index,
      type: "t",
      data: "{}",
      created_at: 1,
      message_id: null,
      quoted_id: null,
    }));
    await database.write((tx) => tx.insertInto("events").values(rows).execute());
    const pages = await collect(readRows(database.read, { ...events, columns: ["topic", "seq"] }, 5));
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3]);
    expect(pages.flat()).toEqual(
      rows.toSorted((a, b) => (a.topic === b.topic ? a.seq - b.seq : a.topic < b.topic ? -1 : 1)).map(({ topic, seq }) => [topic, seq]),
    );
  });

  test("are refused without a primary key", async () => {
    const database = await createMigrated(engine);
    await database.write((tx) => sql`create table loose (id integer)`.execute(tx));
    await expect(listTables(database.read, engine)).rejects.toThrow("The table loose has no primary key");
  });
});
