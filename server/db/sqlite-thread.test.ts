/** Tests the background connections of SQLite: values, errors, waiting for locks, threads that end, and that the event loop stays free. */
import { Kysely, sql } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { runForCaller } from "../lib/current-caller.ts";
import { createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import type { Database } from "./database.ts";
import { isBusy, isUnavailable, isUniqueViolation } from "./engine-errors.ts";
import { migrate } from "./migrate.ts";
import type { Db, Tx } from "./schema.ts";
import { createThreadDialect } from "./sqlite-thread.ts";
import { afterCommit } from "./transaction.ts";

/** Takes about `million` times 0.1 s on a slow machine. */
const slowQuery = (db: Db, million: number) =>
  sql<{ n: number }>`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${million * 1_000_000})
    select max(n) as n from numbers`.execute(db);

const runForAccount = <T>(accountId: number, work: () => T, organisationId = 1): T => runForCaller({ accountId, organisationId }, work);

/** Returns how often a timer fired during `work`: hardly ever if the event loop was blocked. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await work();
  clearInterval(timer);
  return turns;
}

describe("background connections of SQLite", { timeout: 60_000 }, () => {
  let data: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    data = await createTestDatabase("sqlite");
    database = data.open();
    await migrate(database, systemClock);
  });
  afterEach(async () => {
    await database.close();
    await data.drop();
  });
  const insert = (tx: Tx, name: string) => tx.insertInto("organisations").values({ name, created_at: 1 }).returning("id").executeTakeFirstOrThrow();
  const names = async (db = database.read) => (await db.selectFrom("organisations").select("name").orderBy("id").execute()).map(({ name }) => name);

  it("a commit is visible to every connection at once, and its callbacks run", async () => {
    const calls: string[] = [];
    await database.backgroundWrite(async (tx) => {
      await insert(tx, "one");
      afterCommit(() => calls.push("committed"));
    });
    await database.write((tx) => insert(tx, "two"));
    expect([await names(), await names(database.backgroundRead)]).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
    expect(calls).toEqual(["committed"]);
  });
  it("numbers, texts, null and bytes arrive unchanged, and changes are counted", async () => {
    const { rows } =
      await sql`select ${2 ** 53 - 1} as number, ${1.5} as real, ${"\u{1F3B5}"} as text, ${null} as absent, ${Buffer.from([0, 255])} as bytes`.execute(
        database.backgroundRead,
      );
    expect(rows).toEqual([{ number: 2 ** 53 - 1, real: 1.5, text: "\u{1F3B5}", absent: null, bytes: new Uint8Array([0, 255]) }]);
    await database.backgroundWrite(async (tx) => {
      for (const name of ["a", "b"]) await insert(tx, name);
      expect((await tx.updateTable("organisations").set({ created_at: 2 }).executeTakeFirst()).numUpdatedRows).toBe(2n);
    });
  });
  it("a large result arrives whole and in order, in parts between which the event loop runs", async () => {
    const read = async () => {
      const { rows } = await sql<{ n: number }>`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 50000)
        select n, 'a text that takes some room in every row' as text from numbers`.execute(database.backgroundRead);
      expect([rows.length, rows.every(({ n }, index) => n === index + 1)]).toEqual([50_000, true]);
    };
    await read();
    expect(await countTurns(read)).toBeGreaterThan(10);
  });
  it("a failed transaction leaves nothing, and its error keeps SQLite's code", async () => {
    await database.write((tx) => tx.insertInto("topics").values({ topic: "taken", seq: 1 }).execute());
    const failed = database.backgroundWrite(async (tx) => {
      await insert(tx, "lost");
      await tx.insertInto("topics").values({ topic: "taken", seq: 2 }).execute();
    });
    await expect(failed).rejects.toSatisfy(isUniqueViolation);
    await expect(sql`delete from organisations`.execute(database.backgroundRead)).rejects.toThrow("readonly");
    expect(await names()).toEqual([]);
  });
  it("reading or writing outside the current transaction throws", async () => {
    await expect(database.backgroundWrite(() => names())).rejects.toThrow("used inside a transaction");
    await expect(database.backgroundWrite(() => names(database.backgroundRead))).rejects.toThrow("used inside a transaction");
    await expect(database.write(() => database.backgroundWrite(async () => 1))).rejects.toThrow("called inside a transaction");
    await expect(database.backgroundWrite(() => database.write(async () => 1))).rejects.toThrow("called inside a transaction");
    await database.backgroundWrite((tx) => insert(tx, "after the guard"));
    expect(await names()).toEqual(["after the guard"]);
  });
  it("long statements block neither the event loop nor other reads", async () => {
    await names(database.backgroundRead);
    await database.backgroundWrite((tx) => insert(tx, "threads run"));
    let finished = 0;
    const slow = () => slowQuery(database.backgroundRead, 2).then(() => (finished += 1));
    const turns = await countTurns(async () => {
      const all = Promise.all([slow(), slow(), slow(), database.backgroundWrite((tx) => slowQuery(tx, 2))]);
      await names();
      expect(finished).toBe(0);
      await all;
    });
    expect(turns).toBeGreaterThan(20);
    expect(await countTurns(() => slowQuery(database.read, 2))).toBeLessThan(5);
  });
  it("a long read of one account does not wait for those of another", async () => {
    const order: string[] = [];
    const read = (accountId: number, million: number) =>
      runForAccount(accountId, () => slowQuery(database.backgroundRead, million).then(() => order.push(`account ${accountId}`)));
    await Promise.all([read(1, 2), read(1, 2), read(1, 2), read(2, 0.01)]);
    expect(order.slice(-2)).toEqual(["account 1", "account 1"]);
  });
  it("short writes run in the order of the calls, and each waits for at most one long one", async () => {
    const order: string[] = [];
    const step = (name: string, write: Database["write"]) =>
      write(async (tx) => {
        await insert(tx, name);
        order.push(name);
      });
    const long = (name: string) => step(name, database.backgroundWrite);
    const first = Promise.withResolvers<void>();
    const holding = database.backgroundWrite(async (tx) => {
      await insert(tx, "first long");
      await first.promise;
    });
    const waiting = [1, 2, 3].map((n) => runForAccount(1, () => long(`long ${n}`)));
    const others = [runForAccount(2, () => long("long of another"))];
    const short = [1, 2, 3].map((n) => step(`short ${n}`, database.write));
    first.resolve();
    await Promise.all([holding, ...waiting, ...others, ...short]);
    expect(order).toEqual(["short 1", "short 2", "short 3", "long 1", "long of another", "long 2", "long 3"]);
  });
  /** A long write of account 1 that keeps another write waiting. */
  async function keepOthersWaiting(target: Database, million: number): Promise<void> {
    const started = Promise.withResolvers<void>();
    const long = runForAccount(1, () =>
      target.backgroundWrite(async (tx) => {
        started.resolve();
        await slowQuery(tx, million);
      }),
    );
    await started.promise;
    await Promise.all([long, target.write((tx) => insert(tx, "waited"))]);
  }
  it("an account that has kept others from writing is refused, others are not", async () => {
    const strict = data.open({ maxWaitMs: 200, lockShare: { capacityMs: 1, share: 0.001, shortMs: 0 } });
    try {
      const write = (accountId: number, name: string) => runForAccount(accountId, () => strict.backgroundWrite((tx) => insert(tx, name)), accountId);
      await runForAccount(1, () => strict.backgroundWrite((tx) => slowQuery(tx, 0.5)));
      await write(1, "nobody else waited");
      await keepOthersWaiting(strict, 0.5);
      await expect(write(1, "refused")).rejects.toMatchObject({ status: 429, retryAfter: expect.any(Number) });
      await write(2, "of another account");
      await strict.backgroundWrite((tx) => insert(tx, "of the service itself"));
      await runForAccount(1, () => strict.write((tx) => insert(tx, "a short one")));
      expect(await names()).toEqual(["nobody else waited", "waited", "of another account", "of the service itself", "a short one"]);
    } finally {
      await strict.close();
    }
  });
  it("an organization's accounts together are refused as well, others' accounts are not", async () => {
    const strict = data.open({ maxWaitMs: 200, lockShare: { capacityMs: 1, share: 0.001, shortMs: 0 } });
    try {
      await keepOthersWaiting(strict, 0.5);
      const write = (accountId: number, organisationId: number) =>
        runForAccount(accountId, () => strict.backgroundWrite((tx) => insert(tx, "long")), organisationId);
      await expect(write(2, 1)).rejects.toMatchObject({ status: 429 });
      await write(3, 2);
    } finally {
      await strict.close();
    }
  });
  it("an account that has kept others from writing waits until it may again", async () => {
    const patient = data.open({ lockShare: { capacityMs: 1, share: 0.5, shortMs: 0 } });
    try {
      const write = (work: (tx: Tx) => Promise<unknown>) => runForAccount(1, () => patient.backgroundWrite(work));
      await keepOthersWaiting(patient, 0.1);
      const order: string[] = [];
      await Promise.all([
        write((tx) => insert(tx, "long")).then(() => order.push("long")),
        patient.backgroundWrite((tx) => insert(tx, "another")).then(() => order.push("another")),
      ]);
      expect(order).toEqual(["another", "long"]);
    } finally {
      await patient.close();
    }
  });
  it("waits for another process without blocking, and gives up with a 503 in the end", async () => {
    const other = data.open();
    const impatient = data.open({ maxWaitMs: 50 });
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = other.write(async () => {
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const waiting = database.backgroundWrite((tx) => insert(tx, "patient"));
    await expect(impatient.backgroundWrite((tx) => insert(tx, "impatient"))).rejects.toMatchObject({ status: 503 });
    release.resolve();
    await holding;
    await waiting;
    expect(await names()).toEqual(["patient"]);
    await other.close();
    await impatient.close();
  });
});

describe("a thread that ends unexpectedly", { timeout: 60_000 }, () => {
  it("fails what is pending, releases its lock and is replaced", async () => {
    const data = await createTestDatabase("sqlite");
    const database = data.open();
    await migrate(database, systemClock);
    const workers: Worker[] = [];
    const start = (worker: Worker) => workers.push(worker);
    process.on("worker", start);
    const end = () => Promise.all(workers.splice(0).map((worker) => worker.terminate()));
    try {
      // Two threads start, and end before they get to their statements; the third statement waits for one of them and then runs in a new thread.
      const reads = Promise.allSettled([1, 2, 3].map((n) => runForAccount(n, () => sql<{ n: number }>`select ${n} as n`.execute(database.backgroundRead))));
      while (workers.length < 2) await sleep(1);
      await end();
      const [first, second, third] = await reads;
      for (const outcome of [first, second]) expect(outcome).toMatchObject({ status: "rejected", reason: expect.toSatisfy(isUnavailable) });
      expect(third).toMatchObject({ status: "fulfilled", value: { rows: [{ n: 3 }] } });

      const failed = database.backgroundWrite(async (tx) => {
        await tx.insertInto("organisations").values({ name: "lost", created_at: 1 }).execute();
        await end();
        await tx.insertInto("organisations").values({ name: "lost too", created_at: 1 }).execute();
      });
      await expect(failed).rejects.toSatisfy(isUnavailable);
      await expect(failed).rejects.not.toSatisfy(isBusy);
      await database.write((tx) => tx.insertInto("organisations").values({ name: "here", created_at: 1 }).execute());
      await database.backgroundWrite((tx) => tx.insertInto("organisations").values({ name: "and in a new thread", created_at: 1 }).execute());
      expect((await database.backgroundRead.selectFrom("organisations").select("name").execute()).map(({ name }) => name)).toEqual([
        "here",
        "and in a new thread",
      ]);
    } finally {
      process.off("worker", start);
      await database.close();
      await data.drop();
    }
  });
});

describe("a thread that is idle", { timeout: 60_000 }, () => {
  const read = (db: Kysely<unknown>, accountId: number, million: number) => runForAccount(accountId, () => slowQuery(db as Db, million));

  it("ends, also when another is still busy, and a new one runs the next statement", async () => {
    const folder = mkdtempSync(join(tmpdir(), "talkback-threads-"));
    const dialect = createThreadDialect({ file: join(folder, "talkback.db"), readOnly: true, busyTimeoutMs: 100 }, 2, 1);
    const db = new Kysely<unknown>({ dialect });
    try {
      const [long] = [read(db, 1, 3), await read(db, 2, 0.001)];
      expect(dialect.threadIds()).toHaveLength(2);
      while (dialect.threadIds().length > 1) await sleep(1);
      const [remaining] = dialect.threadIds();
      await long;
      while (dialect.threadIds().length > 0) await sleep(1);
      expect((await read(db, 1, 0.001)).rows).toEqual([{ n: 1_000 }]);
      expect(dialect.threadIds()).not.toContain(remaining);
    } finally {
      await db.destroy();
    }
    expect(dialect.threadIds()).toEqual([]);
    rmSync(folder, { recursive: true });
  });
  it("stays while statements follow each other", async () => {
    const folder = mkdtempSync(join(tmpdir(), "talkback-threads-"));
    const dialect = createThreadDialect({ file: join(folder, "talkback.db"), readOnly: true, busyTimeoutMs: 100 }, 1);
    const db = new Kysely<unknown>({ dialect });
    await read(db, 1, 0.001);
    const before = dialect.threadIds();
    await read(db, 2, 0.001);
    expect(dialect.threadIds()).toEqual(before);
    await db.destroy();
    rmSync(folder, { recursive: true });
  });
});
