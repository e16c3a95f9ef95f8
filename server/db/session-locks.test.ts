/** Tests that locks between processes exclude each other, and end with the connection of whoever has them. */
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase, ENGINES } from "../testing/engines.ts";
import { createSessionLocks } from "./session-locks.ts";

const IGNORED = { onLost() {}, onRequest() {} };

describe.runIf(ENGINES.includes("postgres"))("locks between processes", { timeout: 30_000 }, () => {
  async function startProcesses() {
    const data = await createTestDatabase("postgres");
    const database = data.open();
    const [a, b] = [createSessionLocks(database), createSessionLocks(database)];
    onTestFinished(async () => {
      await a.close();
      await b.close();
      await database.close();
      await data.drop();
    });
    const cutAll = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'talkback-listen' and datname = current_database()`.execute(
        database.read,
      );
    return { a, b, cutAll };
  }

  it("are held by one process until it releases them", async () => {
    const { a, b } = await startProcesses();
    expect(await a.tryAcquire("one", IGNORED)).toBe(true);
    expect(await b.tryAcquire("one", IGNORED)).toBe(false);
    expect(await b.tryAcquire("two", IGNORED)).toBe(true);
    await a.release("one");
    expect(await b.tryAcquire("one", IGNORED)).toBe(true);
    // Another's lock is not released.
    await a.release("one");
    expect(await a.tryAcquire("one", IGNORED)).toBe(false);
  });

  it("are requested from whoever has them", async () => {
    const { a, b } = await startProcesses();
    const requested = Promise.withResolvers<void>();
    await a.tryAcquire("one", { onLost() {}, onRequest: () => requested.resolve() });
    await a.tryAcquire("two", { onLost() {}, onRequest: () => expect.fail("not this one") });
    await b.request("one");
    await requested.promise;
  });

  it("end when the connection breaks, of which the holder learns, and can be had again", async () => {
    const { a, b, cutAll } = await startProcesses();
    const lost: string[] = [];
    for (const name of ["one", "two"]) await a.tryAcquire(name, { onLost: () => lost.push(name), onRequest() {} });
    await cutAll();
    while (lost.length < 2) await sleep(5);
    expect(await b.tryAcquire("one", IGNORED)).toBe(true);
    expect(await a.tryAcquire("one", IGNORED)).toBe(false);
    expect(await a.tryAcquire("two", IGNORED)).toBe(true);
    expect(lost).toEqual(["one", "two"]);
  });
});
