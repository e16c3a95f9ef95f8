/** What a thread does instead of commits: it copies the write-ahead log and merges the index of messages. */
import { Kysely, sql, SqliteDialect } from "kysely";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { createSerialQueue } from "../lib/serial-queue.ts";
import { createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Schema } from "./schema.ts";
import { upsertSearchDocuments } from "./search-index.ts";
import { createSqliteMaintenance, WRITES_BETWEEN_MERGES } from "./sqlite-maintenance.ts";
import { openSqlite } from "./sqlite.ts";

let data: TestDatabase;
let database: Database;
const warnings: unknown[] = [];
const onWarning = (warning: unknown) => void warnings.push(warning);
beforeEach(async () => {
  warnings.length = 0;
  process.on("warning", onWarning);
  data = await createTestDatabase("sqlite");
  database = data.open();
  await migrate(database, systemClock);
  // Writes count from the opening.
  await database.close();
  database = data.open();
});
afterEach(async () => {
  await database.close();
  await data.drop();
  process.off("warning", onWarning);
  if (warnings.length > 0) throw new Error(`Warnings: ${warnings.join("; ")}`);
});

const addToIndex = (id: number) => database.write((tx) => upsertSearchDocuments(tx, "sqlite", "message", [{ id, tokens: ["snare", `word${id}`, "_p1"] }]));
const addInTurn = async (from: number, to: number) => {
  for (let id = from; id <= to; id += 1) await addToIndex(id);
};
const addTogether = (from: number, to: number) => Promise.all(Array.from({ length: to - from + 1 }, (_, index) => addToIndex(from + index)));
/** The upper bits of a page's id are the number of its segment (SQLite's ext/fts5/fts5_index.c). */
async function countSegments(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct id >> 37) as count from message_search_data where id >> 37 > 0`.execute(database.read);
  return rows[0]!.count;
}
const SEGMENTS = 14;
/** Adds 14 segments: one more write, and the database merges. */
async function prepare(): Promise<void> {
  for (let write = 0; write < WRITES_BETWEEN_MERGES - SEGMENTS - 1; write += 1) await database.write(async () => {});
  await addInTurn(1, SEGMENTS);
  expect(await countSegments()).toBe(SEGMENTS);
}
const databaseFile = () => join(data.location, "talkback.db");
const openConnection = () =>
  new Kysely<Schema>({ dialect: new SqliteDialect({ database: openSqlite(databaseFile(), { readOnly: false, busyTimeoutMs: 0 }) }) });
async function countFound(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from message_search where message_search match 'snare'`.execute(database.read);
  return rows[0]!.count;
}
/** Two numbers that change when the log begins anew (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
const logSalt = (): string => readFileSync(join(data.location, "talkback.db-wal")).subarray(16, 24).toString("hex");

it("merges the segments that commits add, and loses no entry", async () => {
  await prepare();
  // Adds a segment; it would merge them itself if they were 16.
  await addToIndex(15);
  await vi.waitFor(async () => expect(await countSegments()).toBeLessThan(SEGMENTS), { timeout: 10_000 });
  expect(await countFound()).toBe(15);
});

it("copies the log, so that it begins anew instead of growing", { timeout: 60_000 }, async () => {
  await addToIndex(1);
  const before = logSalt();
  await addTogether(2, 600);
  let id = 600;
  await vi.waitFor(
    async () => {
      await addToIndex((id += 1));
      expect(logSalt()).not.toBe(before);
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(await countFound()).toBe(id);
});

it("leaves nothing of that to commits, unless the log is very long", async () => {
  const connection = openSqlite(databaseFile(), { readOnly: false, busyTimeoutMs: 0 });
  expect(connection.prepare("PRAGMA wal_autocheckpoint").all([])).toEqual([{ wal_autocheckpoint: 20_000 }]);
  const config = connection.prepare("select k, v from message_search_config where k in ('automerge', 'usermerge') order by k").all([]);
  expect(config).toEqual([
    { k: "automerge", v: 0 },
    { k: "usermerge", v: 8 },
  ]);
  connection.close();
});

it("ends with the database, also while it works", async () => {
  for (let round = 0; round < 5; round += 1) {
    await addTogether(round * 450 + 1, (round + 1) * 450);
    await database.close();
    database = data.open();
    expect(await countFound()).toBe((round + 1) * 450);
  }
});

it("stops after the step that runs, and starts nothing afterwards", async () => {
  await prepare();
  const connection = openConnection();
  const [inLine, held, order] = [createSerialQueue(), Promise.withResolvers<void>(), [] as string[]];
  const maintenance = createSqliteMaintenance(connection, inLine);
  void inLine(() => held.promise);
  maintenance.countWrites(WRITES_BETWEEN_MERGES);
  const stopped = maintenance.stop().then(() => order.push("stopped"));
  await setImmediate();
  order.push("released");
  held.resolve();
  await stopped;
  expect(order).toEqual(["released", "stopped"]);
  const after = await countSegments();
  expect(after).toBeLessThan(SEGMENTS);
  maintenance.countLongTransaction();
  await maintenance.stop();
  expect(await countSegments()).toBe(after);
  await connection.destroy();
});

it("leaves the index to the next run while another program writes", async () => {
  await prepare();
  const connection = openConnection();
  const other = new DatabaseSync(databaseFile());
  const run = async () => {
    const maintenance = createSqliteMaintenance(connection, createSerialQueue());
    maintenance.countWrites(WRITES_BETWEEN_MERGES);
    await maintenance.stop();
  };

  other.exec("begin immediate");
  await run();
  expect(await countSegments()).toBe(SEGMENTS);
  other.exec("rollback");
  await run();
  expect(await countSegments()).toBeLessThan(SEGMENTS);

  other.close();
  await connection.destroy();
});
