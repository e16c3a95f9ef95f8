import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import type { Row } from "../../db/schema.ts";
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { largestTransaction } from "../../testing/largest-transaction.ts";
import { findDeliveries, insertDelivery, registerEndpoint, recordAttempt } from "../../testing/webhooks.ts";

const WAIT_MS = 4_000;

describe.each(ENGINES)("deliveries on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine, { testWaitMs: WAIT_MS })), 60_000);
  afterAll(() => fixtures.testApp.close());

  const createOwnerEndpoint = () => registerEndpoint(fixtures.testApp, fixtures.owner);
  const findRow = async (endpointId: number, id: number) =>
    (await findDeliveries(fixtures.testApp, endpointId)).find((entry) => entry.id === id) as Row<"deliveries">;
  const list = async (endpoint_id: number, query: Record<string, string> = {}) =>
    (await fixtures.testApp.call(fixtures.owner, webhooks.listDeliveries, { params: { endpoint_id }, query })).response;
  const redeliver = (delivery_id: number) => fixtures.testApp.call(fixtures.owner, webhooks.redeliver, { params: { delivery_id } });
  const recover = (endpoint_id: number, since: number) =>
    fixtures.testApp.call(fixtures.owner, webhooks.recoverDeliveries, { params: { endpoint_id }, body: { since: new Date(since).toISOString() } });

  describe("the log", () => {
    test("pages through each delivery once, newest first, while new ones are added", async () => {
      const id = await createOwnerEndpoint();
      const now = fixtures.testApp.clock.now();
      const created: number[] = [];
      // Several deliveries share a millisecond, and one is dated earlier, by a clock that was set back.
      for (const at of [1, 2, 2, 2, 3, 4, 4, 5, 0, 6, 6]) created.push(await insertDelivery(fixtures.testApp, id, "delivered", { createdAt: now + at }));
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list(id, { limit: "3", ...(cursor === null ? {} : { cursor }) });
        seen.push(...page.data.map((entry) => entry.id));
        cursor = page.next_cursor;
        if (seen.length === 6) await insertDelivery(fixtures.testApp, id, "delivered", { createdAt: now + 9 });
      } while (cursor !== null);
      const [, , , , , , , , early] = created;
      expect(seen).toEqual([...created.filter((entry) => entry !== early).reverse(), early]);
    });

    test("is filtered by type, state and time", async () => {
      const id = await createOwnerEndpoint();
      const now = fixtures.testApp.clock.now();
      const a = await insertDelivery(fixtures.testApp, id, "failed", { createdAt: now - HOUR, type: "file.renamed" });
      const b = await insertDelivery(fixtures.testApp, id, "failed", { createdAt: now });
      const c = await insertDelivery(fixtures.testApp, id, "held", { createdAt: now });
      const ids = async (query: Record<string, string>) => (await list(id, query)).data.map((entry) => entry.id);
      const iso = (at: number) => new Date(at).toISOString();
      expect(await ids({})).toEqual([c, b, a]);
      expect(await ids({ state: "failed" })).toEqual([b, a]);
      expect(await ids({ event_type: "file.renamed" })).toEqual([a]);
      expect(await ids({ from: iso(now) })).toEqual([c, b]);
      expect(await ids({ to: iso(now) })).toEqual([a]);
      expect(await ids({ from: iso(now - HOUR), to: iso(now + 1), state: "held" })).toEqual([c]);
      expect(await ids({ state: "delivered" })).toEqual([]);
    });

    test("shows the newest completed attempt while the next is in progress", async () => {
      const id = await createOwnerEndpoint();
      const delivery = await insertDelivery(fixtures.testApp, id, "pending");
      const [pendingState, soon] = [{ state: "pending" as const }, fixtures.testApp.clock.now() + MINUTE];
      for (const status of [500, 503]) await recordAttempt(fixtures.testApp, delivery, { outcome: "http", status }, { ...pendingState, next_attempt_at: soon });
      await fixtures.testApp.database.write((tx) =>
        tx.updateTable("deliveries").set({ attempts: 3, lease_until: soon, lease_token: "x" }).where("id", "=", delivery).execute(),
      );
      expect((await list(id)).data[0]).toMatchObject({ attempt_count: 3, last_attempt: { number: 2, outcome: "http", status: 503 } });
    });

    test.runIf(engine === "sqlite")("reads only the requested page from an index", async () => {
      const id = await createOwnerEndpoint();
      const now = fixtures.testApp.clock.now();
      const { event_id } = await findRow(id, await insertDelivery(fixtures.testApp, id, "delivered", { createdAt: now }));
      await fixtures.testApp.database.write((tx) =>
        sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
          insert into deliveries (endpoint_id, event_id, event_type, state, created_at, done_at)
          select ${id}, ${event_id}, 'file.renamed', case when i % 1000 = 0 then 'failed' else 'delivered' end, ${now} - i * 1000, ${now} from n`.execute(tx),
      );
      const plan = async (query: string): Promise<string> =>
        (await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(fixtures.testApp.database.read)).rows
          .map(({ detail }) => detail)
          .join("; ");
      const condition = "endpoint_id = 1 and created_at < 5 and (created_at, id) < (select created_at, id from deliveries where id = 7)";
      expect(await plan(`select * from deliveries where ${condition} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_endpoint (?!.*TEMP B-TREE)/,
      );
      expect(await plan(`select * from deliveries where state = 'failed' and ${condition} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_state (?!.*TEMP B-TREE)/,
      );
      expect(await plan(`select * from deliveries where event_type = 'file.added' and ${condition} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_type (?!.*TEMP B-TREE)/,
      );
      expect(
        await plan("select id from deliveries where endpoint_id = 1 and by_hand = 1 and next_attempt_at <= 5 order by next_attempt_at, id limit 1"),
      ).toMatch(/^SEARCH deliveries USING COVERING INDEX deliveries_by_hand /);
      expect((await list(id, { limit: "200" })).data).toHaveLength(200);
      expect((await list(id, { limit: "200", state: "failed" })).data).toHaveLength(20);
    });
  });

  describe("Retry-After", () => {
    const retryAt = () => fixtures.testApp.clock.now() + DAY;
    const setNotBefore = (id: number) =>
      fixtures.testApp.database.write((tx) => tx.updateTable("webhook_endpoints").set({ not_before: retryAt() }).where("id", "=", id).execute());
    const get = async (delivery_id: number) => (await fixtures.testApp.call(fixtures.owner, webhooks.getDelivery, { params: { delivery_id } })).response.data;
    test("sets the time of the next attempt, except for a manual redelivery", async () => {
      const id = await createOwnerEndpoint();
      const [waitingId, redeliveredId] = [await insertDelivery(fixtures.testApp, id, "pending"), await insertDelivery(fixtures.testApp, id, "failed")];
      await setNotBefore(id);
      expect((await get(waitingId)).next_attempt_at).toBe(new Date(retryAt()).toISOString());
      const { response } = await fixtures.testApp.call(fixtures.owner, webhooks.redeliver, { params: { delivery_id: redeliveredId } });
      expect(response.data.next_attempt_at).toBe(new Date(fixtures.testApp.clock.now()).toISOString());
    });
    test("is ignored after Recover", async () => {
      const id = await createOwnerEndpoint();
      const failed = await insertDelivery(fixtures.testApp, id, "failed");
      await setNotBefore(id);
      const since = new Date(fixtures.testApp.clock.now() - 1_000).toISOString();
      await fixtures.testApp.call(fixtures.owner, webhooks.recoverDeliveries, { params: { endpoint_id: id }, body: { since } });
      expect((await get(failed)).next_attempt_at).toBe(new Date(fixtures.testApp.clock.now()).toISOString());
    });
  });

  describe("redelivering", () => {
    test("restarts the schedule with the same event id and body", async () => {
      const id = await createOwnerEndpoint();
      const delivery = await insertDelivery(fixtures.testApp, id, "pending");
      await recordAttempt(fixtures.testApp, delivery, {}, { state: "delivered", next_attempt_at: null, done_at: 5, step: 4 });
      const get = async () => (await fixtures.testApp.call(fixtures.owner, webhooks.getDelivery, { params: { delivery_id: delivery } })).response.data;
      const before = await get();
      fixtures.testApp.clock.advance(MINUTE);
      expect((await redeliver(delivery)).response.data).toMatchObject({ id: delivery, state: "pending", attempt_count: 1 });
      expect(await findRow(id, delivery)).toMatchObject({
        state: "pending",
        step: 0,
        attempts: 1,
        next_attempt_at: fixtures.testApp.clock.now(),
        done_at: null,
      });
      const after = await get();
      expect([after.event_id, after.body]).toEqual([before.event_id, before.body]);
      expect(after.attempts).toHaveLength(1);
    });

    test("happens once for twenty simultaneous requests", async () => {
      const id = await createOwnerEndpoint();
      const delivery = await insertDelivery(fixtures.testApp, id, "failed");
      const replies = await Promise.all(Array.from({ length: 20 }, () => redeliver(delivery)));
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const audited = fixtures.testApp.database.read.selectFrom("audit").select("id").where("target", "=", `delivery:${delivery}`);
      expect(await audited.execute()).toHaveLength(1);
    });

    test("a repeated request with its key does nothing once the result is there", async () => {
      const id = await createOwnerEndpoint();
      const params = { delivery_id: await insertDelivery(fixtures.testApp, id, "failed") };
      const send = async () =>
        (await fixtures.testApp.call(fixtures.owner, webhooks.redeliver, { params }, { headers: { "idempotency-key": `again-${id}` } })).response.data;
      expect(await send()).toMatchObject({ state: "pending" });
      await recordAttempt(fixtures.testApp, params.delivery_id);
      expect(await send()).toMatchObject({ state: "delivered", attempt_count: 1 });
    });

    test("replaces a pending retry and keeps its place in the schedule", async () => {
      const id = await createOwnerEndpoint();
      const delivery = await insertDelivery(fixtures.testApp, id, "pending");
      const now = fixtures.testApp.clock.now();
      await recordAttempt(fixtures.testApp, delivery, { outcome: "http", status: 503 }, { state: "pending", next_attempt_at: now + DAY, step: 3 });
      const { status, response } = await redeliver(delivery);
      expect([status, response.data.next_attempt_at]).toEqual([200, new Date(now).toISOString()]);
      expect(await findRow(id, delivery)).toMatchObject({ state: "pending", step: 3, next_attempt_at: now, by_hand: 1 });
    });

    test("says so during an automatic attempt", async () => {
      const id = await createOwnerEndpoint();
      const delivery = await insertDelivery(fixtures.testApp, id, "pending");
      const lease = { lease_until: fixtures.testApp.clock.now() + MINUTE, lease_token: "x" };
      await fixtures.testApp.database.write((tx) => tx.updateTable("deliveries").set(lease).where("id", "=", delivery).execute());
      const { status, problem } = await redeliver(delivery);
      expect([status, problem.detail]).toEqual([409, "An attempt of this delivery is in progress. Wait for its result."]);
    });

    test("sends a test to a paused endpoint too", async () => {
      const id = await createOwnerEndpoint();
      await fixtures.testApp.call(fixtures.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id: id }, body: { enabled: false } });
      expect((await redeliver(await insertDelivery(fixtures.testApp, id, "failed", { isTest: true }))).status).toBe(200);
      expect((await redeliver(await insertDelivery(fixtures.testApp, id, "failed"))).status).toBe(409);
    });
  });

  describe("recovering", () => {
    test("changes at most 500 deliveries in one transaction", async () => {
      const { testApp } = fixtures;
      const id = await createOwnerEndpoint();
      const first = await insertDelivery(testApp, id, "held");
      const { id: _, ...row } = await findRow(id, first);
      await testApp.database.write((tx) =>
        tx
          .insertInto("deliveries")
          .values(Array.from({ length: 1_099 }, () => row))
          .execute(),
      );
      const held = async () => (await findDeliveries(testApp, id)).filter(({ state }) => state === "held").length;
      let count = 0;
      const largest = await largestTransaction(testApp.database, { held }, async () => {
        ({ count } = (await recover(id, testApp.clock.now() - HOUR)).response.data);
      });
      expect([largest, count, await held()]).toEqual([{ held: 500 }, 1_100, 0]);
    });
    test("retries failed, held and waiting deliveries since a time in their original order", async () => {
      const id = await createOwnerEndpoint();
      const other = await createOwnerEndpoint();
      const now = fixtures.testApp.clock.now();
      const since = now - HOUR;
      const at = since + 1;
      const waiting = await insertDelivery(fixtures.testApp, id, "pending", { createdAt: at });
      await recordAttempt(fixtures.testApp, waiting, { outcome: "refused", status: null }, { state: "pending", next_attempt_at: now + DAY });
      const sent = await insertDelivery(fixtures.testApp, id, "pending", { createdAt: at });
      await recordAttempt(
        fixtures.testApp,
        sent,
        { outcome: "timeout", status: null },
        { state: "pending", next_attempt_at: now, lease_until: now + MINUTE, lease_token: "x" },
      );
      const fresh = await insertDelivery(fixtures.testApp, id, "pending", { createdAt: at });
      const [failed, held] = [
        await insertDelivery(fixtures.testApp, id, "failed", { createdAt: at }),
        await insertDelivery(fixtures.testApp, id, "held", { createdAt: since }),
      ];
      const untouched = [
        await insertDelivery(fixtures.testApp, id, "failed", { createdAt: since - 1 }),
        await insertDelivery(fixtures.testApp, id, "delivered", { createdAt: at }),
        await insertDelivery(fixtures.testApp, id, "failed", { createdAt: at, isTest: true }),
      ];
      const elsewhere = await insertDelivery(fixtures.testApp, other, "failed", { createdAt: at });
      expect((await recover(id, since)).response).toEqual({ object: "recovery", data: { count: 3 } });
      for (const entry of [waiting, failed, held])
        expect(await findRow(id, entry)).toMatchObject({ state: "pending", step: 0, next_attempt_at: now, done_at: null });
      expect(await findRow(id, sent)).toMatchObject({ state: "pending", step: 1, lease_token: "x" });
      expect(await findRow(id, fresh)).toMatchObject({ next_attempt_at: at });
      for (const entry of untouched) expect((await findRow(id, entry)).state).not.toBe("pending");
      expect((await findRow(other, elsewhere)).state).toBe("failed");
      // Uses the order in which the engine claims deliveries.
      const due = await fixtures.testApp.database.read
        .selectFrom("deliveries")
        .select("id")
        .where("endpoint_id", "=", id)
        .where("next_attempt_at", "=", now)
        .where("lease_until", "is", null)
        .orderBy("next_attempt_at")
        .orderBy("id")
        .execute();
      expect(due.map((entry) => entry.id)).toEqual([waiting, failed, held]);
    });

    test("reaches 14 days back, with an hour of tolerance for clock differences", async () => {
      const id = await createOwnerEndpoint();
      const now = fixtures.testApp.clock.now();
      const old = await insertDelivery(fixtures.testApp, id, "failed", { createdAt: now - 14 * DAY });
      expect((await recover(id, now - 14 * DAY - 2 * HOUR)).problem.errors).toEqual([{ path: "since", message: "must be within the last 14 days" }]);
      expect((await recover(id, now - 14 * DAY)).response.data.count).toBe(1);
      expect((await findRow(id, old)).state).toBe("pending");
      expect((await recover(id, now + HOUR)).response.data.count).toBe(0);
    });
  });

  describe("a test event", () => {
    const sendTest = (endpoint_id: number, headers: Record<string, string> = {}) =>
      fixtures.testApp.call(fixtures.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id }, body: { event_type: "file.renamed" } }, { headers });
    /** Simulates an engine in another process: records an attempt once a test delivery is pending. */
    async function runEngineElsewhere(
      endpointId: number,
      attempt: Parameters<typeof recordAttempt>[2],
      after?: Parameters<typeof recordAttempt>[3],
    ): Promise<void> {
      const database = fixtures.testApp.testDatabase.open();
      try {
        for (;;) {
          const due = await database.read
            .selectFrom("deliveries")
            .select("id")
            .where("endpoint_id", "=", endpointId)
            .where("state", "=", "pending")
            .executeTakeFirst();
          if (due) return await recordAttempt({ database, clock: fixtures.testApp.clock }, due.id, attempt, after);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      } finally {
        await database.close();
      }
    }

    test("waits for the result of an engine in another process", async () => {
      const id = await createOwnerEndpoint();
      const [reply] = await Promise.all([sendTest(id), runEngineElsewhere(id, { status: 200, response_body: '{"thanks":1}' })]);
      expect(reply.response.data).toMatchObject({
        is_test: true,
        state: "delivered",
        attempts: [{ number: 1, outcome: "ok", status: 200, response_body: '{"thanks":1}' }],
      });
    });

    test("returns a failure as its result", async () => {
      const id = await createOwnerEndpoint();
      const [reply] = await Promise.all([
        sendTest(id),
        runEngineElsewhere(
          id,
          { outcome: "tls", status: null, response_headers: null, response_body: null },
          { state: "failed", next_attempt_at: null, done_at: 1 },
        ),
      ]);
      expect(reply.response.data).toMatchObject({
        state: "failed",
        last_attempt: { outcome: "tls", status: null },
        attempts: [{ response_headers: null, response_body: null }],
      });
    });

    test("returns a pending delivery if there is no result in time", async () => {
      const id = await createOwnerEndpoint();
      const startedAt = performance.now();
      expect((await sendTest(id)).response.data).toMatchObject({ state: "pending", attempts: [] });
      expect(performance.now() - startedAt).toBeGreaterThan(WAIT_MS - 50);
    });

    test("is sent once for twenty simultaneous requests with one key, and all get the result", async () => {
      const id = await createOwnerEndpoint();
      const [, ...replies] = await Promise.all([
        runEngineElsewhere(id, {}),
        ...Array.from({ length: 20 }, () => sendTest(id, { "idempotency-key": `tests-${id}` })),
      ]);
      expect(new Set(replies.map((reply) => reply.response.data.id)).size).toBe(1);
      expect(replies.map((reply) => reply.response.data.state)).toEqual(Array(20).fill("delivered"));
      expect(await findDeliveries(fixtures.testApp, id)).toHaveLength(1);
    });

    test("goes only to its endpoint and counts nowhere as a delivery", async () => {
      const [id, other] = [await createOwnerEndpoint(), await registerEndpoint(fixtures.testApp, fixtures.owner, { event_types: ["file.renamed"] })];
      await Promise.all([sendTest(id), runEngineElsewhere(id, {})]);
      expect(await findDeliveries(fixtures.testApp, other)).toEqual([]);
      const { data } = (await fixtures.testApp.call(fixtures.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id: id } })).response;
      expect(data.recent.every((hour) => hour.delivered + hour.failed + hour.waiting === 0)).toBe(true);
      expect(data.last_delivered_at).toBeNull();
    });
  });
});
