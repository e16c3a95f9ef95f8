/** Tests which reads are remembered until the next commit. */
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { ENGINES, createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { untilNextCommit } from "./until-commit.ts";

describe.each(ENGINES)("reads until the next commit on %s", (engine) => {
  let data: TestDatabase;
  let database: Database;
  let loads = 0;
  beforeAll(async () => {
    data = await createTestDatabase(engine);
    database = data.open();
    await migrate(database, systemClock);
  }, 60_000);
  afterAll(async () => {
    await database.close();
    await data.drop();
  });

  const load = () =>
    untilNextCommit(database.read, "names", async () => {
      loads += 1;
      return (await database.read.selectFrom("organisations").select("name").orderBy("id").execute()).map(({ name }) => name);
    });
  const insert = (name: string) => database.write((tx) => tx.insertInto("organisations").values({ name, created_at: 1 }).execute());

  it("are remembered on SQLite only, also by those who ask at the same time", async () => {
    loads = 0;
    await Promise.all([load(), load(), load()]);
    await setImmediate();
    await load();
    expect(loads).toBe(engine === "sqlite" ? 1 : 4);
  });

  it("are forgotten at a commit, also for whoever reads right after their own write", async () => {
    await load();
    await insert("one");
    expect(await load()).toEqual(["one"]);
    await database.backgroundWrite((tx) => tx.insertInto("organisations").values({ name: "two", created_at: 1 }).execute());
    expect(await load()).toEqual(["one", "two"]);
  });

  it.runIf(engine === "sqlite")("are forgotten when another process has committed", async () => {
    const before = await load();
    const other = new DatabaseSync(join(data.location, "talkback.db"), { timeout: 5_000 });
    other.exec("insert into organisations (name, created_at) values ('from elsewhere', 1)");
    other.close();
    await setImmediate();
    expect(await load()).toEqual([...before, "from elsewhere"]);
  });

  it("are read again after a failure, and do not include what a rolled back write has changed", async () => {
    const before = await load();
    await database
      .write(async (tx) => {
        await tx.insertInto("organisations").values({ name: "undone", created_at: 1 }).execute();
        throw new Error("undo");
      })
      .catch(() => {});
    expect(await load()).toEqual(before);
    const fail = () => untilNextCommit(database.read, "failing", () => Promise.reject(new Error("broken")));
    await expect(fail()).rejects.toThrow("broken");
    await setImmediate();
    expect(await untilNextCommit(database.read, "failing", async () => "well")).toBe("well");
  });

  it("always read within a transaction", async () => {
    await database.write(async (tx) => {
      const count = () => untilNextCommit(tx, "count", async () => (await tx.selectFrom("organisations").select("id").execute()).length);
      const before = await count();
      await tx.insertInto("organisations").values({ name: "seen at once", created_at: 1 }).execute();
      expect(await count()).toBe(before + 1);
    });
  });
});
