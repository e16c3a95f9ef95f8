/** Tests whose turn it is in the job queue, and that leases and retries do not change it. */
import { CompiledQuery, type KyselyPlugin, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import type { Tx } from "../db/schema.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../testing/engines.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createQueue, type Job, type Queue } from "./queue.ts";

const LEASE_MS = 60_000;

describe.each(ENGINES)("turns on %s", { timeout: 60_000 }, (engine) => {
  let data: TestDatabase;
  let database: Database;
  let queue: Queue;
  const clock = createManualClock();
  beforeEach(async () => {
    data = await createTestDatabase(engine);
    database = data.open();
    await migrate(database, clock);
    queue = createQueue(database);
  });
  afterEach(async () => {
    await database.close();
    await data.drop();
  });

  let lastSubject = 0;
  const add = (organisation_id: number, account_id: number, count: number, kind = "media") =>
    database.write(async (tx) => {
      for (let job = 0; job < count; job += 1) await queue.enqueue(tx, clock.now(), { kind, subject_id: (lastSubject += 1), organisation_id, account_id });
    });
  const claim = (kind = "media") => queue.claim(clock.now(), kind, LEASE_MS);
  const finish = (job: Job) => database.write((tx) => queue.finish(tx, clock.now(), job));
  /** Claims and finishes all jobs, one at a time, and returns their accounts. */
  async function drain(): Promise<number[]> {
    const accounts: number[] = [];
    for (let job = await claim(); job; job = await claim()) {
      accounts.push(job.account_id);
      await finish(job);
    }
    return accounts;
  }

  /** Adds the statements of a transaction to `statements`. */
  const recordStatements = (tx: Tx, statements: CompiledQuery[]): KyselyPlugin => ({
    transformQuery({ node, queryId }) {
      statements.push(tx.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  async function expectFewRowsRead({ sql: text, parameters }: CompiledQuery): Promise<void> {
    const explain = engine === "sqlite" ? "explain query plan" : "explain (analyze, format json)";
    const plan = JSON.stringify((await database.write((tx) => tx.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters])))).rows);
    if (engine === "sqlite") expect(plan, text).not.toMatch(/SCAN jobs|TEMP B-TREE|MULTI-INDEX|\(state=\?\)/);
    const rows = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":\s*(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(0, ...rows), `${text}\n${plan}`).toBeLessThan(1_000);
  }

  test("alternate between accounts, oldest job first within an account", async () => {
    await add(1, 1, 6);
    await add(1, 2, 2);
    const jobs: Job[] = [];
    for (let job = await claim(); job; job = await claim()) {
      jobs.push(job);
      await finish(job);
    }
    expect(jobs.map(({ account_id }) => account_id)).toEqual([1, 2, 1, 2, 1, 1, 1, 1]);
    for (const account of [1, 2]) {
      const subjects = jobs.filter(({ account_id }) => account_id === account).map(({ subject_id }) => subject_id);
      expect(subjects).toEqual(subjects.toSorted((a, b) => a - b));
    }
  });
  test("alternate between organizations, however many accounts one has", async () => {
    for (const account of [1, 2, 3]) await add(1, account, 2);
    await add(2, 9, 3);
    expect(await drain()).toEqual([1, 9, 2, 9, 3, 9, 1, 2, 3]);
  });
  test("give the next free worker to who has nothing running", async () => {
    await add(1, 1, 6);
    const running = [await claim(), await claim()];
    expect(running.map((job) => job?.account_id)).toEqual([1, 1]);
    await add(1, 2, 2);
    expect((await claim())?.account_id).toBe(2);
    await finish(running[0] as Job);
    // One of each is running, and account 1 has waited longer for its turn.
    expect((await claim())?.account_id).toBe(1);
    expect((await claim())?.account_id).toBe(2);
    expect((await claim())?.account_id).toBe(1);
  });
  test("are separate for each kind of job, and go on after a restart", async () => {
    await add(1, 1, 2);
    await add(1, 2, 2);
    await add(1, 1, 1, "video");
    expect((await claim("video"))?.account_id).toBe(1);
    expect((await claim("video")) === null).toBe(true);
    await finish((await claim()) as Job);
    queue = createQueue(database);
    expect(await drain()).toEqual([2, 1, 2]);
  });
  test("include jobs of dead workers, once each, and skip jobs that are not due", async () => {
    await add(1, 1, 1);
    await add(1, 2, 1);
    const [dead, failed] = [(await claim()) as Job, (await claim()) as Job];
    expect([dead.account_id, failed.account_id]).toEqual([1, 2]);
    expect(await database.write((tx) => queue.fail(tx, clock.now(), failed, "no", true))).toBe("requeued");
    expect(await claim()).toBeNull();
    clock.advance(LEASE_MS + 1);
    const again = [(await claim()) as Job, (await claim()) as Job];
    expect(again.map(({ account_id, attempts }) => [account_id, attempts])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(await claim()).toBeNull();
    expect(await finish(dead)).toBe(false);
    for (const job of again) expect(await finish(job)).toBe(true);
  });
  test("are found among 100,000 waiting jobs by reading a few of them", async () => {
    const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)`;
    const values = sql`'media', n, n % 2 + 1, n % 4 + 1, ${sql.lit(clock.now())}, ${sql.lit(clock.now())}`;
    await database.write((tx) =>
      sql`insert into jobs (kind, subject_id, organisation_id, account_id, run_at, created_at) ${numbers} select ${values} from numbers`.execute(tx),
    );
    await add(3, 9, 1);
    // PostgreSQL gathers statistics by itself in production; SQLite has none in production either.
    if (engine === "postgres") await database.write((tx) => sql`analyze jobs`.execute(tx));
    const statements: CompiledQuery[] = [];
    const write: Database["write"] = (work) => database.write((tx) => work(tx.withPlugin(recordStatements(tx, statements)) as Tx));
    const recorded = createQueue({ ...database, engine, write });
    const claimed = [await recorded.claim(clock.now(), "media", LEASE_MS), await recorded.claim(clock.now(), "media", LEASE_MS)];
    expect(claimed.map((job) => job?.account_id)).toEqual([1, 2]);
    await recorded.claim(clock.now(), "media", LEASE_MS);
    await database.write(async (tx) => void (await recorded.hasWaiting(tx, 1, ["media"], 200)));
    const reads = statements.filter(({ sql: text }) => /^(select|with)/.test(text) && text.includes("jobs"));
    expect(reads.length).toBeGreaterThan(3);
    for (const statement of reads) await expectFewRowsRead(statement);
  });
  test("hand every job to one worker only, whatever several processes claim at the same time", async () => {
    for (const account of [1, 2, 3]) await add(1, account, 8);
    const others = [data.open(), data.open()];
    const queues = [queue, ...others.map(createQueue)];
    const claimed = await Promise.all(queues.flatMap((one) => Array.from({ length: 6 }, () => one.claim(clock.now(), "media", LEASE_MS))));
    expect(new Set(claimed.map((job) => job?.subject_id)).size).toBe(18);
    for (const account of [1, 2, 3]) expect(claimed.filter((job) => job?.account_id === account)).toHaveLength(6);
    for (const other of others) await other.close();
  });
});
