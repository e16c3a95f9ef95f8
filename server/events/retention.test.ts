import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { DAY, MINUTE } from "../lib/clock.ts";
import { SESSION_MAX_AGE_MS, SESSION_IDLE_MS } from "../modules/accounts/authentication.ts";
import { ENGINES, createTestDatabase, type TestDatabase } from "../testing/engines.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { largestTransaction } from "../testing/largest-transaction.ts";
import { createEventLog } from "./log.ts";
import { RETENTION, prune, type RetentionPeriods } from "./retention.ts";

describe.each(ENGINES)("retention on %s", { timeout: 30_000 }, (engine) => {
  const clock = createManualClock();
  let data: TestDatabase;
  let database: Database;
  const periods: RetentionPeriods = { ...RETENTION, sessionIdleMs: SESSION_IDLE_MS, sessionMs: SESSION_MAX_AGE_MS };
  const runPrune = (overrides: Partial<RetentionPeriods> = {}) => prune({ database, clock }, { ...periods, ...overrides });

  beforeAll(async () => {
    data = await createTestDatabase(engine);
    database = data.open();
    await migrate(database, clock);
  });
  afterAll(async () => {
    await database.close();
    await data.drop();
  });

  const append = (topic: string, count: number) => {
    const events = createEventLog(database, clock);
    return database.write(async (tx) => {
      for (let index = 0; index < count; index += 1) await events.append(tx, topic, "sessions.changed", {});
    });
  };
  const seqs = async (topic: string) =>
    (await database.read.selectFrom("events").select("seq").where("topic", "=", topic).orderBy("seq").execute()).map(({ seq }) => seq);

  test("deletes old events once a topic has enough newer ones", async () => {
    await append("project:1", 12);
    await append("project:2", 3);
    clock.advance(29 * DAY);
    await append("project:1", 2);
    expect(await runPrune({ eventsPerTopic: 5 })).toBe(0);
    clock.advance(2 * DAY);
    // project:1 has 14 events: the newest five stay, and of the others only old ones are deleted.
    expect(await runPrune({ eventsPerTopic: 5 })).toBe(9);
    expect(await seqs("project:1")).toEqual([10, 11, 12, 13, 14]);
    expect(await seqs("project:2")).toEqual([1, 2, 3]);
    expect(await runPrune({ eventsPerTopic: 1 })).toBe(3 + 2);
    expect(await seqs("project:1")).toEqual([13, 14]);
    expect(await seqs("project:2")).toEqual([3]);
    // The sequence continues after the deleted events.
    await append("project:2", 1);
    expect(await seqs("project:2")).toEqual([3, 4]);
  });

  test("deletes more than one batch in a run", async () => {
    await database.write(async (tx) => {
      await tx.insertInto("topics").values({ topic: "project:3", seq: 4_500 }).execute();
      for (let seq = 0; seq < 4_500; seq += 500) {
        const rows = Array.from({ length: 500 }, (_, index) => ({
          topic: "project:3",
          seq: seq + index + 1,
          type: "sessions.changed",
          data: "{}",
          created_at: clock.now(),
        }));
        await tx.insertInto("events").values(rows).execute();
      }
    });
    clock.advance(31 * DAY);
    await runPrune({ eventsPerTopic: 10 });
    expect(await seqs("project:3")).toHaveLength(10);
  });

  test("deletes at most 500 rows of a table in one transaction, and all that have expired in one run", async () => {
    const now = clock.now();
    const rows = <T>(build: (index: number) => T): T[] => Array.from({ length: 1_100 }, (_, index) => build(index));
    const session = { user_agent: "", address: "", created_at: now, last_seen_at: now };
    await database.write(async (tx) => {
      const { id: organisation_id } = await tx.insertInto("organisations").values({ name: "Large", created_at: now }).returning("id").executeTakeFirstOrThrow();
      const names = { username: "l", username_key: "l", email: "l@b", email_key: "l@b", user_info: "" };
      const values = { organisation_id, role: "owner" as const, ...names, created_at: now };
      const { id: account_id } = await tx.insertInto("accounts").values(values).returning("id").executeTakeFirstOrThrow();
      const inserts = [
        tx.insertInto("topics").values({ topic: "project:9", seq: 1_200 }),
        tx.insertInto("events").values(rows((index) => ({ topic: "project:9", seq: index + 1, type: "sessions.changed", data: "{}", created_at: now }))),
        tx
          .insertInto("idempotency")
          .values(rows((index) => ({ account_id, operation: "o", key: `k${index}`, request_hash: "", result: "{}", created_at: now }))),
        tx.insertInto("attempts").values(rows(() => ({ bucket: "address", created_at: now }))),
        tx.insertInto("jobs").values(rows((index) => ({ kind: "k", subject_id: index, state: "done" as const, run_at: now, created_at: now, done_at: now }))),
        tx.insertInto("audit").values(rows(() => ({ organisation_id, action: "file.deleted", target: "file:1", detail: "{}", created_at: now }))),
        tx.insertInto("live_tickets").values(rows((index) => ({ token_hash: `x${index}`, account_id, session_id: null, token_id: null, expires_at: now }))),
        tx.insertInto("sessions").values(rows((index) => ({ ...session, account_id, token_hash: `y${index}` }))),
      ];
      for (const insert of inserts) await insert.execute();
    });
    clock.advance(401 * DAY);
    const tables = ["events", "idempotency", "attempts", "jobs", "audit", "live_tickets", "sessions"] as const;
    const countRows = (table: (typeof tables)[number]) => async () =>
      (
        await database.read
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow()
      ).count;
    const counts = Object.fromEntries(tables.map((table) => [table, countRows(table)]));
    const largest = await largestTransaction(database, counts, () => runPrune({ eventsPerTopic: 10 }));
    expect(largest).toEqual(Object.fromEntries(tables.map((table) => [table, 500])));
    for (const table of tables) if (table !== "events") expect(await counts[table]!(), table).toBe(0);
    expect(await seqs("project:9")).toEqual([]);
  });

  test("deletes idempotency keys, counted attempts, live tickets and sessions when they expire, and not before", async () => {
    const now = clock.now();
    const account = await database.write(async (tx) => {
      const { id: organisation_id } = await tx
        .insertInto("organisations")
        .values({ name: "Northwind", created_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      const names = { username: "a", username_key: "a", email: "a@b", email_key: "a@b" };
      const { id } = await tx
        .insertInto("accounts")
        .values({ organisation_id, role: "owner", ...names, user_info: "", created_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      await tx.insertInto("idempotency").values({ account_id: id, operation: "POST /", key: "k", request_hash: "", result: "{}", created_at: now }).execute();
      await tx.insertInto("attempts").values({ bucket: "address", created_at: now }).execute();
      await tx
        .insertInto("live_tickets")
        .values({ token_hash: "t", account_id: id, session_id: null, token_id: null, expires_at: now + MINUTE })
        .execute();
      const session = { account_id: id, user_agent: "", address: "", created_at: now };
      await tx
        .insertInto("sessions")
        .values([
          { ...session, token_hash: "idle", last_seen_at: now },
          { ...session, token_hash: "used", last_seen_at: now + 80 * DAY },
        ])
        .execute();
      return id;
    });
    const count = async (table: "idempotency" | "attempts" | "live_tickets" | "sessions") =>
      Number(
        (
          await database.read
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as("count"))
            .executeTakeFirstOrThrow()
        ).count,
      );
    const counts = async () => ({
      idempotency: await count("idempotency"),
      attempts: await count("attempts"),
      live_tickets: await count("live_tickets"),
      sessions: await count("sessions"),
    });

    await runPrune();
    expect(await counts()).toEqual({ idempotency: 1, attempts: 1, live_tickets: 1, sessions: 2 });
    clock.advance(2 * MINUTE);
    await runPrune();
    expect(await counts()).toEqual({ idempotency: 1, attempts: 1, live_tickets: 0, sessions: 2 });
    clock.advance(DAY);
    await runPrune();
    expect(await counts()).toEqual({ idempotency: 0, attempts: 0, live_tickets: 0, sessions: 2 });
    clock.advance(14 * DAY);
    await runPrune();
    expect(await counts()).toMatchObject({ sessions: 1 });
    clock.advance(76 * DAY);
    await runPrune();
    expect(await counts()).toMatchObject({ sessions: 0 });
    expect(await database.read.selectFrom("accounts").select("id").where("id", "=", account).execute()).toHaveLength(1);
  });
});
