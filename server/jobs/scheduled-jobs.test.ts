/** Tests that of several processes one runs a scheduled job, and that the next one does when its time has come. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../testing/engines.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { onEachMachine, startScheduler, type ScheduledJobs } from "./scheduled-jobs.ts";

describe.each(ENGINES)("scheduled jobs on %s", { timeout: 30_000 }, (engine) => {
  let data: TestDatabase;
  let databases: Database[];
  let warnings: string[];
  beforeEach(async () => {
    data = await createTestDatabase(engine);
    databases = [data.open(), data.open(), data.open()];
    warnings = [];
    await migrate(databases[0]!, createManualClock());
  });
  afterEach(async () => {
    for (const database of databases) await database.close();
    await data.drop();
  });

  /** Runs the jobs once in each of three processes at the same time. The last job of all says that a process is done. */
  async function runInAll(jobs: ScheduledJobs): Promise<void> {
    const ended = databases.map(() => Promise.withResolvers<void>());
    const stops = databases.map((database, index) =>
      startScheduler(database, { ...jobs, end: onEachMachine(async () => ended[index]!.resolve()) }, (_, message) => warnings.push(message), {
        initialDelayMs: 1,
        intervalMs: 3_600_000,
      }),
    );
    await Promise.all(ended.map(({ promise }) => promise));
    await Promise.all(stops.map((stop) => stop()));
  }
  const turnBack = (ms: number) =>
    databases[0]!.write((tx) =>
      tx
        .updateTable("scheduled_runs")
        .set({ started_at: sql`started_at - ${ms}` })
        .execute(),
    );

  test("run in one process, those of a machine in each", async () => {
    const runs = { shared: 0, own: 0 };
    const jobs = { shared: async () => (runs.shared += 1), own: onEachMachine(async () => (runs.own += 1)) };
    await runInAll(jobs);
    expect(runs).toEqual({ shared: 1, own: 3 });
    await runInAll(jobs);
    await turnBack(50 * 60_000);
    await runInAll(jobs);
    expect(runs).toEqual({ shared: 1, own: 9 });
    await turnBack(5 * 60_000);
    await runInAll(jobs);
    expect(runs).toEqual({ shared: 2, own: 12 });
  });

  test("that fail do not keep the others from running", async () => {
    let runs = 0;
    await runInAll({ broken: () => Promise.reject(new Error("no")), next: async () => (runs += 1) });
    expect(runs).toBe(1);
    expect(warnings).toEqual(["broken: failed; it is retried in an hour"]);
  });
});
