import { describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { ENGINES, createTestDatabase } from "../testing/engines.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";

const first: Migration = { name: "001-first", up: async (tx) => void (await tx.schema.createTable("probe_one").addColumn("id", "bigint").execute()) };
const second: Migration = { name: "002-second", up: async (tx) => void (await tx.schema.createTable("probe_two").addColumn("id", "bigint").execute()) };
const broken: Migration = {
  name: "002-broken",
  async up(tx) {
    await tx.schema.createTable("half_done").addColumn("id", "bigint").execute();
    throw new Error("half way");
  },
};

it("have an order that only grows, because databases have run them in it", () => {
  const numbers = MIGRATIONS.map(({ name }) => name.slice(0, 3));
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
  expect(MIGRATIONS.map(({ name }) => name).filter((name) => name.startsWith("013"))).toEqual(["013-audit-log", "013-email-addresses"]);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual(["013"]);
});

describe.each(ENGINES)("migrations on %s", { timeout: 30_000 }, (engine) => {
  const openDatabase = async () => {
    const data = await createTestDatabase(engine);
    const database = data.open();
    return { data, database, close: async () => (await database.close(), await data.drop()) };
  };

  it("run once, and only missing ones run the next time", async () => {
    const { database, close } = await openDatabase();
    expect(await migrate(database, systemClock, [first])).toEqual(["001-first"]);
    expect(await migrate(database, systemClock, [first])).toEqual([]);
    expect(await migrate(database, systemClock, [first, second])).toEqual(["002-second"]);
    await close();
  });
  it("run once when several processes start at the same time", async () => {
    const { data, database, close } = await openDatabase();
    const otherDatabases = [data.open(), data.open(), data.open()];
    const results = await Promise.all([database, ...otherDatabases].map((db) => migrate(db, systemClock)));
    // Each migration runs once, in whichever process comes first.
    expect(results.flat().toSorted()).toEqual(MIGRATIONS.map(({ name }) => name));
    for (const other of otherDatabases) await other.close();
    await close();
  });
  it("reject a database of a newer version, name its migration and leave it unchanged", async () => {
    const { database, close } = await openDatabase();
    await migrate(database, systemClock, [first, second]);
    await expect(migrate(database, systemClock, [first])).rejects.toThrow(
      /newer version of Talkback: it has the migration "002-second", and this version ends with "001-first"\. Nothing was changed\. Start the newer version/,
    );
    expect(await migrate(database, systemClock, [first, second])).toEqual([]);
    await close();
  });
  it("roll back a failing migration and keep the ones before it", async () => {
    const { database, close } = await openDatabase();
    await expect(migrate(database, systemClock, [first, broken])).rejects.toThrow("half way");
    expect((await database.read.introspection.getTables()).map(({ name }) => name).sort()).toEqual(["migrations", "probe_one"]);
    expect(await migrate(database, systemClock, [first, second])).toEqual(["002-second"]);
    await close();
  });
});
