/** Tests the database access: transactions, the guard around them, and callbacks after a commit or rollback. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEventLog } from "../events/log.ts";
import { systemClock } from "../lib/clock.ts";
import { currentCaller, runForCaller } from "../lib/current-caller.ts";
import { ENGINES, createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import { runOutsideTransaction } from "../testing/outside-transaction.ts";
import { openPostgresDatabase, type Database } from "./database.ts";
import { afterCommit } from "./transaction.ts";
import { migrate } from "./migrate.ts";
import type { Tx } from "./schema.ts";

describe.each(ENGINES)("database on %s", { timeout: 30_000 }, (engine) => {
  let data: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    data = await createTestDatabase(engine);
    database = data.open();
    await migrate(database, systemClock);
  }, 60_000);
  afterAll(async () => {
    await database.close();
    await data.drop();
  });

  const insert = (tx: Tx, name: string) => tx.insertInto("organisations").values({ name, created_at: 1 }).returning("id").executeTakeFirstOrThrow();
  const names = async () => (await database.read.selectFrom("organisations").select("name").orderBy("id").execute()).map(({ name }) => name);

  it("stores committed rows and returns integers as numbers", async () => {
    const { id } = await database.write((tx) => insert(tx, "kept"));
    expect(typeof id).toBe("number");
    const largest = 9_007_199_254_740_991;
    await database.write((tx) => tx.updateTable("organisations").set({ created_at: largest }).where("id", "=", id).execute());
    expect(await database.read.selectFrom("organisations").selectAll().where("id", "=", id).executeTakeFirst()).toEqual({
      id,
      name: "kept",
      created_at: largest,
    });
  });
  it.each(["write", "backgroundWrite"] as const)("whatever transactions wait for, %s leaves connections to reads and to other accounts", async (method) => {
    const started: number[] = [];
    const gate = Promise.withResolvers<void>();
    const transactions = [1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7].map((accountId) =>
      runForCaller({ accountId, organisationId: 1 }, () =>
        database[method](async (tx) => {
          await sql`select 1`.execute(tx);
          started.push(accountId);
          await gate.promise;
        }),
      ),
    );
    const expected = engine === "sqlite" ? [1] : method === "write" ? [1, 1, 2, 3, 4] : [1, 1, 2, 3];
    await expect.poll(() => started.toSorted()).toEqual(expected);
    // Each of these needs a connection, while the transactions hold theirs.
    for (let count = 0; count < 20; count += 1) await names();
    expect(started.toSorted()).toEqual(expected);
    gate.resolve();
    await Promise.all(transactions);
    expect(started).toHaveLength(12);
  });
  it("what follows a commit is the service's own work, not the caller's", async () => {
    const callers: unknown[] = [];
    await runForCaller({ accountId: 1, organisationId: 1 }, () =>
      database.write(async () => {
        callers.push(currentCaller());
        afterCommit(() => callers.push(currentCaller()));
      }),
    );
    expect(callers).toEqual([{ accountId: 1, organisationId: 1 }, null]);
  });
  it("a failed transaction leaves no row and no event and calls no after-commit callback", async () => {
    const before = await names();
    const events = createEventLog(database, systemClock);
    const calls: string[] = [];
    events.onCommit(({ type }) => calls.push(type));
    await expect(
      database.write(async (tx) => {
        await insert(tx, "lost");
        await events.append(tx, "organisation:1", "sessions.changed", {});
        afterCommit(() => calls.push("after commit"));
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await names()).toEqual(before);
    expect(calls).toEqual([]);
    expect(await events.after(database.read, "organisation:1", 0, 10)).toEqual([]);
    expect((await events.loadNewestSeqs(database.read, ["organisation:1"])).get("organisation:1")).toBe(0);
    await database.write((tx) => events.append(tx, "organisation:1", "sessions.changed", {}));
    expect(calls).toEqual(["sessions.changed"]);
    expect((await events.after(database.read, "organisation:1", 0, 10)).map(({ seq }) => seq)).toEqual([1]);
  });
  it("a statement that the engine rejects rolls back the statements before it", async () => {
    const before = await names();
    await expect(
      database.write(async (tx) => {
        await insert(tx, "lost too");
        await tx.insertInto("teams").values({ organisation_id: 999_999, name: "of nobody", created_at: 1 }).execute();
      }),
    ).rejects.toThrow(/foreign key/i);
    expect(await names()).toEqual(before);
  });
  it("reading or writing outside the current transaction throws", async () => {
    await expect(database.write(async () => database.read.selectFrom("organisations").selectAll().execute())).rejects.toThrow("used inside a transaction");
    await expect(database.write(async () => database.write(async () => 1))).rejects.toThrow("called inside a transaction");
    expect(() => afterCommit(() => {})).toThrow("inside Database.write");
    // A rejected call leaves the database usable.
    expect(await database.write(async (tx) => (await insert(tx, "after the guard")).id)).toBeGreaterThan(0);
  });
  it("an after-commit callback can read, and its failure does not reach the caller", async () => {
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    let namesAfter: Promise<string[]> | undefined;
    await database.write(async (tx) => {
      await insert(tx, "seen after");
      afterCommit(() => {
        throw new Error("listener broke");
      });
      afterCommit(() => (namesAfter = names()));
    });
    expect(await namesAfter).toContain("seen after");
    expect((await warned).message).toBe("listener broke");
  });
  it("reads proceed during a write and do not see it before its commit", async () => {
    const before = (await names()).length;
    await database.write(async (tx) => {
      await insert(tx, "not yet");
      const countOutside = await runOutsideTransaction(async () => (await names()).length);
      expect(countOutside).toBe(before);
    });
    expect(await names()).toHaveLength(before + 1);
  });
  it("of writes at the same time, one that fails is undone alone, and each is a transaction of its own to whoever asks", async () => {
    const before = await names();
    const transactions = new Set<Tx>();
    const calls: string[] = [];
    const results = await Promise.allSettled(
      ["first", "fails", "third", "breaks a rule", "fifth"].map((name) =>
        database.write(async (tx) => {
          transactions.add(tx);
          const { id } = await insert(tx, name);
          afterCommit(() => calls.push(`${name} of ${currentCaller()?.accountId}`));
          if (name === "fails") throw new Error(name);
          if (name === "breaks a rule") await tx.insertInto("teams").values({ organisation_id: 999_999, name, created_at: 1 }).execute();
          return id;
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
    // SQLite writes in the order of the calls, PostgreSQL in any order.
    const inOrder = (values: string[]) => (engine === "sqlite" ? values : values.toSorted());
    expect(inOrder(await names())).toEqual(inOrder([...before, "first", "third", "fifth"]));
    expect(inOrder(calls.map((call) => call.split(" ")[0] ?? ""))).toEqual(inOrder(["first", "third", "fifth"]));
    expect(transactions.size).toBe(5);
  });
  it("50 simultaneous writes all succeed", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => database.write(async (tx) => (await insert(tx, `many ${index}`)).id)));
    expect(new Set(ids).size).toBe(50);
  });
});

describe.runIf(ENGINES.includes("postgres"))("two deadlocked transactions on PostgreSQL", () => {
  it("both succeed in the end", { timeout: 30_000 }, async () => {
    const data = await createTestDatabase("postgres");
    const database = data.open();
    await migrate(database, systemClock);
    const [firstRow, secondRow] = await database.write((tx) =>
      tx
        .insertInto("organisations")
        .values([
          { name: "one", created_at: 0 },
          { name: "two", created_at: 0 },
        ])
        .returning("id")
        .execute(),
    );
    const increment = (tx: Tx, id: number) =>
      tx
        .updateTable("organisations")
        .set(({ eb }) => ({ created_at: eb("created_at", "+", 1) }))
        .where("id", "=", id)
        .execute();
    let calls = 0;
    const incrementBoth = (first: number, second: number) =>
      database.write(async (tx) => {
        afterCommit(() => (calls += 1));
        await increment(tx, first);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await increment(tx, second);
      });
    await Promise.all([incrementBoth(firstRow?.id ?? 0, secondRow?.id ?? 0), incrementBoth(secondRow?.id ?? 0, firstRow?.id ?? 0)]);
    expect((await database.read.selectFrom("organisations").select("created_at").execute()).map((row) => row.created_at)).toEqual([2, 2]);
    expect(calls).toBe(2);
    await database.close();
    await data.drop();
  });
});

describe.runIf(ENGINES.includes("postgres"))("a PostgreSQL session", () => {
  it("uses the options of PGOPTIONS and the URL, with JIT off", async () => {
    const data = await createTestDatabase("postgres");
    const settings = async (database: Database): Promise<unknown> => {
      const { rows } = await sql`select current_setting('jit') as jit, current_setting('search_path') as search_path`.execute(database.read);
      await database.close();
      return rows[0];
    };
    const before = process.env["PGOPTIONS"];
    try {
      process.env["PGOPTIONS"] = "-c search_path=theirs";
      expect(await settings(data.open())).toEqual({ jit: "off", search_path: "theirs" });
      const url = new URL(data.location);
      url.searchParams.set("options", "-c search_path=named");
      expect(await settings(openPostgresDatabase(url.href))).toEqual({ jit: "off", search_path: "named" });
    } finally {
      if (before === undefined) delete process.env["PGOPTIONS"];
      else process.env["PGOPTIONS"] = before;
      await data.drop();
    }
  });
});
