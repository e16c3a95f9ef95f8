/** Writes on SQLite: those that wait at the same time share a transaction, and a writer of another process lets them in. */
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { currentCaller, runForCaller } from "../lib/current-caller.ts";
import { createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Tx } from "./schema.ts";
import { MAX_RETRY_DELAY_MS } from "./sqlite-writes.ts";
import { asLastStep } from "./transaction.ts";

describe("SQLite writes that share a transaction", () => {
  let data: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    data = await createTestDatabase("sqlite");
    database = data.open({ maxSharedMs: Number.POSITIVE_INFINITY });
    await migrate(database, systemClock);
  });
  afterAll(async () => {
    await database.close();
    await data.drop();
  });
  const insert = (tx: Tx, name: string) => tx.insertInto("organisations").values({ name, created_at: 1 }).execute();
  const count = async () =>
    Number(
      (
        await database.read
          .selectFrom("organisations")
          .select(({ fn }) => fn.countAll().as("count"))
          .executeTakeFirstOrThrow()
      ).count,
    );

  it("are confirmed after one commit, and the first keeps its caller", async () => {
    const before = database.dataVersion();
    const versions: number[] = [];
    const callers: unknown[] = [];
    const writes = [1, 2, 3, 4, 5, 6].map((accountId) =>
      runForCaller({ accountId, organisationId: 1 }, async () => {
        await database.write(async (tx) => {
          await insert(tx, `shared ${accountId}`);
          callers.push(currentCaller()?.accountId);
        });
        versions.push(database.dataVersion());
      }),
    );
    await Promise.all(writes);
    expect(callers).toEqual([1, 2, 3, 4, 5, 6]);
    // The number changes with each commit, and nobody was confirmed before it.
    expect(new Set(versions).size).toBe(1);
    expect(versions[0]).not.toBe(before);
  });

  it("are those that arrive in one turn of the event loop, too", async () => {
    const versions: number[] = [];
    const arrive = (name: string) =>
      new Promise<void>((resolve, reject) => {
        // Between two such callbacks, all promises are settled that wait for nothing else.
        setImmediate(() => {
          database
            .write((tx) => insert(tx, name))
            .then(() => versions.push(database.dataVersion()))
            .then(() => resolve(), reject);
        });
      });
    await Promise.all([arrive("first"), arrive("second"), arrive("third")]);
    expect(versions).toHaveLength(3);
    expect(new Set(versions).size).toBe(1);
  });

  it("take their last step together, without those that are undone", async () => {
    const taken: string[][] = [];
    const step = async (tx: Tx, names: readonly string[]) => {
      taken.push([...names]);
      for (const name of names) await insert(tx, name);
    };
    const before = await count();
    const write = (name: string, fails = false) =>
      database.write(async () => {
        asLastStep(step, name);
        if (fails) throw new Error(name);
      });
    const results = await Promise.allSettled([write("one"), write("undone", true), write("two")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(taken).toEqual([["one", "two"]]);
    expect(await count()).toBe(before + 2);
    // A long transaction takes it alone.
    await database.backgroundWrite(async () => asLastStep(step, "three"));
    expect(taken.at(-1)).toEqual(["three"]);
  });

  it("are all undone and rejected if the last step fails", async () => {
    const before = await count();
    const step = async () => {
      throw new Error("no last step");
    };
    const results = await Promise.allSettled([
      database.write((tx) => insert(tx, "innocent")),
      database.write(async (tx) => {
        await insert(tx, "guilty");
        asLastStep(step, null);
      }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await count()).toBe(before);
  });

  it("are all undone and rejected if their commit fails", async () => {
    const before = await count();
    const results = await Promise.allSettled([
      database.write((tx) => insert(tx, "innocent")),
      database.write(async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx);
        await tx.insertInto("teams").values({ organisation_id: 999_999, name: "of nobody", created_at: 1 }).execute();
      }),
      database.write((tx) => insert(tx, "innocent too")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await count()).toBe(before);
    // And the next one succeeds.
    await database.write((tx) => insert(tx, "after it"));
    expect(await count()).toBe(before + 1);
  });

  it("are all rejected if SQLite rolls the transaction back in the middle, as on a full disk", async () => {
    const before = await count();
    const results = await Promise.allSettled([
      database.write((tx) => insert(tx, "before")),
      database.write(async (tx) => {
        await sql`ROLLBACK`.execute(tx);
        throw new Error("database or disk is full");
      }),
      database.write((tx) => insert(tx, "later")),
    ]);
    expect(results.map((result) => (result.status === "rejected" ? (result.reason as Error).message : "kept"))).toEqual([
      "database or disk is full",
      "database or disk is full",
      "kept",
    ]);
    expect(await count()).toBe(before + 1);
  });
});

describe("a SQLite write while another process writes continuously", () => {
  it("gets the lock in a gap of twice the longest retry delay", { timeout: 30_000 }, async () => {
    const data = await createTestDatabase("sqlite");
    const [busy, waitingDatabase] = [data.open(), data.open()];
    await migrate(busy, systemClock);
    let rounds = 0;
    let stopped = false;
    const waitUntilHeld = () =>
      new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (!isHeld) return;
          clearInterval(timer);
          resolve();
        }, 1);
      });
    let isHeld = false;
    const writerLoop = (async () => {
      while (!stopped) {
        await busy.write(async () => {
          isHeld = true;
          // Held so long that a waiting writer whose retry delay doubled without limit would miss the gaps.
          await sleep(160);
          isHeld = false;
        });
        rounds += 1;
        await sleep(2 * MAX_RETRY_DELAY_MS);
      }
    })();
    for (let count = 0; count < 4; count += 1) {
      await waitUntilHeld();
      const roundsBefore = rounds;
      await waitingDatabase.write((tx) =>
        tx
          .insertInto("organisations")
          .values({ name: `in a gap ${count}`, created_at: 1 })
          .execute(),
      );
      expect(rounds - roundsBefore).toBeLessThanOrEqual(2);
    }
    stopped = true;
    await writerLoop;
    await busy.close();
    await waitingDatabase.close();
    await data.drop();
  });
});
