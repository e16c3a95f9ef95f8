import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteDatabase } from "../../server/db/database.ts";
import { fillRecordIndex, RECORD_KINDS } from "../../server/db/search-documents.ts";
import { fillSearchIndex } from "../../server/db/search.ts";
import { assertConsistent, type DataSet, readDataSet, seedDataSet } from "./data-set.ts";
import { chatSizes, HIDDEN_WORD } from "./insert-organization.ts";

const SIZES = {
  largestChat: 300,
  largeChat: 100,
  smallChat: 20,
  otherMessages: 80,
  filesOfLargest: 120,
  otherFiles: 60,
  projects: 24,
  people: 10,
  rareInterval: 100,
};
const MESSAGES = 500;

describe("the data set", () => {
  let folder = "";
  let dataSet: DataSet;
  let raw: DatabaseSync;
  const count = (sql: string, ...values: (string | number)[]) => Number(Object.values(raw.prepare(sql).get(...values)!)[0]);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talkback-data-set-"));
    dataSet = await seedDataSet(folder, SIZES, () => {});
    raw = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  }, 60_000);
  afterAll(() => {
    raw.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the messages of each chat, its newest and its middle", () => {
    expect(count("select count(*) from messages")).toBe(MESSAGES);
    for (const [chat, size] of [
      [dataSet.chats.largest, 300],
      [dataSet.chats.large, 100],
      [dataSet.chats.small, 20],
    ] as const) {
      expect(count("select count(*) from messages where project_id = ?", chat.project)).toBe(size);
      expect(count("select max(id) from messages where project_id = ?", chat.project)).toBe(chat.newest);
      expect(count("select last_message_id from projects where id = ?", chat.project)).toBe(chat.newest);
      expect(count("select count(*) from messages where project_id = ? and id <= ?", chat.project, chat.middle)).toBe(size / 2);
    }
  });

  it("breaks no reference and no index", () => {
    expect(raw.prepare("pragma foreign_key_check").all()).toEqual([]);
    expect(raw.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(count("select count(*) from sqlite_master where name in ('messages_history', 'files_name', 'file_tags_file')")).toBe(3);
    expect(count("select count(*) from messages reply join messages parent on parent.id = reply.parent_id where parent.project_id <> reply.project_id")).toBe(
      0,
    );
    expect(count("select count(*) from messages where parent_id is not null")).toBeGreaterThan(20);
  });

  it("is indexed as the service indexes it", async () => {
    const words = () => ["message_search", "file_search"].map((index) => raw.prepare(`select term, doc, cnt from ${index}_words order by term`).all());
    const seeded = words();
    expect(seeded[0]!.length).toBeGreaterThan(50);
    const database = openSqliteDatabase(folder);
    await database.write(async (tx) => {
      await fillSearchIndex(tx, "sqlite");
      for (const kind of RECORD_KINDS) await fillRecordIndex(tx, "sqlite", kind);
    });
    await database.close();
    expect(words()).toEqual(seeded);
  });

  it("has the hidden word only where no member looks, and five times in the largest chat", () => {
    const where = `body like '${HIDDEN_WORD}%' and project_id`;
    expect(count(`select count(*) from messages where ${where} = ?`, dataSet.chats.largest.project)).toBe(5);
    expect(
      count(`select count(*) from messages where ${where} in (select project_id from project_members) and project_id <> ?`, dataSet.chats.largest.project),
    ).toBe(0);
  });

  it("can be read by a later run, unless other code has written it", () => {
    expect(readDataSet(folder)).toEqual(dataSet);
    const file = join(folder, "data-set.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(dataSet.stamp, "older"));
    expect(readDataSet(folder)).toBeNull();
    expect(readDataSet(join(folder, "nowhere"))).toBeNull();
  });

  it("is refused if the index lacks a message", async () => {
    const database = openSqliteDatabase(folder);
    await assertConsistent(database, folder, SIZES);
    raw.exec("delete from message_search where rowid = 7");
    await expect(assertConsistent(database, folder, SIZES)).rejects.toThrow("500 of 500 messages, 499 in the index");
    await database.close();
  });
});

it("spreads messages over chats of very different sizes", () => {
  const sizes = chatSizes(100, 10_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_000);
  expect(sizes[0]! / sizes.at(-1)!).toBeGreaterThan(10);
  expect(chatSizes(0, 0)).toEqual([]);
});
