/** Tests the event log: a gapless `seq` per topic whoever appends, and work at the end of a transaction. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../lib/clock.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../testing/engines.ts";
import { createEventLog, type EventLog, type LoggedEvent, type NewEvent, topicOf } from "./log.ts";

describe.each(ENGINES)("event log on %s", { timeout: 60_000 }, (engine) => {
  let data: TestDatabase;
  let databases: [Database, Database];
  /** Of two processes. */
  let logs: [EventLog, EventLog];
  let committed: LoggedEvent[];
  let retries: unknown[];

  beforeAll(async () => {
    data = await createTestDatabase(engine);
    const options = { onRetry: (error: unknown) => void retries.push(error) };
    databases = [data.open(options), data.open(options)];
    await migrate(databases[0], systemClock);
    logs = [createEventLog(databases[0], systemClock), createEventLog(databases[1], systemClock)];
    for (const log of logs) log.onCommit((event) => void committed.push(event));
  }, 60_000);
  afterAll(async () => {
    for (const database of databases) await database.close();
    await data.drop();
  });
  beforeEach(async () => {
    [committed, retries] = [[], []];
    await databases[0].write(async (tx) => {
      await tx.deleteFrom("events").execute();
      await tx.deleteFrom("topics").execute();
    });
  });

  const counted = (id: number, unread_count: number): NewEvent => ({ topic: topicOf.account(id), type: "notifications.changed", data: { unread_count } });
  const stored = async () => {
    const rows = await databases[0].read.selectFrom("events").select(["topic", "seq", "data"]).orderBy("topic").orderBy("seq").execute();
    return rows.map(({ topic, seq, data: text }) => `${topic} ${seq} ${JSON.parse(text).unread_count}`);
  };

  it("appends many events in the order given, after those that are there", async () => {
    await databases[0].write((tx) => logs[0].append(tx, topicOf.account(9), "notifications.changed", { unread_count: 1 }));
    await databases[0].write((tx) => logs[0].appendMany(tx, [counted(10, 2), counted(9, 3), counted(10, 4)]));
    await databases[0].write((tx) => logs[0].append(tx, topicOf.account(10), "notifications.changed", { unread_count: 5 }));
    expect(await stored()).toEqual(["account:10 1 2", "account:10 2 4", "account:10 3 5", "account:9 1 1", "account:9 2 3"]);
    expect(committed.map(({ topic, seq }) => `${topic} ${seq}`)).toEqual(["account:9 1", "account:10 1", "account:9 2", "account:10 2", "account:10 3"]);
    expect(await logs[0].after(databases[0].read, "account:10", 0, 10)).toEqual(committed.filter(({ topic }) => topic === "account:10"));
    expect(Object.fromEntries(await logs[0].loadNewestSeqs(databases[0].read, ["account:9", "account:10"]))).toEqual({ "account:9": 2, "account:10": 3 });
  });

  it("appends more events than a statement may have values", async () => {
    const newEvents = Array.from({ length: 20_000 }, (_, index) => counted(index + 1, index));
    await databases[0].write((tx) => logs[0].appendMany(tx, newEvents));
    expect(committed).toHaveLength(20_000);
    expect(await stored()).toHaveLength(20_000);
  });

  it("stores nothing and notifies nobody after a rollback, and the next event follows without a gap", async () => {
    const failing = databases[0].write(async (tx) => {
      await logs[0].appendMany(tx, [counted(1, 1), counted(2, 1)]);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await databases[0].write((tx) => logs[0].appendMany(tx, [counted(1, 2)]));
    expect(await stored()).toEqual(["account:1 1 2"]);
    expect(committed).toHaveLength(1);
  });

  it("two processes that append to the same topics in opposite orders leave no gap and never deadlock", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => index + 1);
    const run = async (process: 0 | 1) => {
      for (let round = 0; round < 10; round += 1)
        await databases[process].write(async (tx) => {
          for (const id of process === 0 ? ids : ids.toReversed()) logs[process].appendToAccounts(tx, [id], "notifications.changed", { unread_count: round });
        });
    };
    await Promise.all([run(0), run(1)]);
    const rows = await databases[0].read.selectFrom("events").select(["topic", "seq"]).orderBy("seq").execute();
    for (const [, ofTopic] of Map.groupBy(rows, ({ topic }) => topic))
      expect(ofTopic.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(committed).toHaveLength(600);
    expect(retries).toEqual([]);
  });

  it("runs work at the end of the transaction in the order in which it was added, also what work adds", async () => {
    const steps: string[] = [];
    await databases[0].write(async (tx) => {
      const step = (name: string, then = () => {}) =>
        logs[0].atEnd(tx, [topicOf.account(1)], async () => {
          steps.push(name);
          then();
        });
      step("first", () => step("third"));
      step("second");
      await logs[0].append(tx, topicOf.project(1), "messages.imported", { project_id: 1 });
      steps.push("transaction");
    });
    expect(steps).toEqual(["transaction", "first", "second", "third"]);
  });

  it("work at the end cannot add topics that are not locked", async () => {
    const failing = databases[0].write(async (tx) => {
      logs[0].atEnd(tx, [topicOf.account(1)], async () => logs[0].appendToAccounts(tx, [1, 2], "sessions.changed", {}));
    });
    await expect(failing).rejects.toThrow("not locked");
    expect(await stored()).toEqual([]);
  });

  it("a transaction whose work at the end fails stores nothing", async () => {
    const failing = databases[0].write(async (tx) => {
      await logs[0].append(tx, topicOf.project(1), "messages.imported", { project_id: 1 });
      logs[0].atEnd(tx, [topicOf.account(1)], () => Promise.reject(new Error("late")));
    });
    await expect(failing).rejects.toThrow("late");
    expect(await stored()).toEqual([]);
    expect(committed).toEqual([]);
  });
});
