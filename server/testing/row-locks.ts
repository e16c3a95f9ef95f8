/** Puts transactions on PostgreSQL into a chosen order: holds a row that they need, and waits until they wait for it. */
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import type { Schema } from "../db/schema.ts";
import type { TestApp } from "./test-app.ts";

/** Waits until as many transactions wait for a lock. */
export async function waitForLockWaiters({ database }: TestApp, count: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    if (rows[0]?.count === count) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.count} wait, not ${count}`);
    await sleep(10);
  }
}

/** Locks a row until the returned function is called; other transactions that need it queue in order of arrival. */
export async function holdRowLock({ database }: TestApp, table: keyof Schema, key: number | string): Promise<() => Promise<void>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = database.write(async (tx) => {
    await sql`select 1 from ${sql.table(table)} where ${sql.ref(table === "topics" ? "topic" : "id")} = ${key} for update`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return async () => {
    released.resolve();
    await transaction;
  };
}
