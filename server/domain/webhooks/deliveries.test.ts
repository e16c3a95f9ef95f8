import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "kysely";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import type { Row } from "../../db/schema.ts";
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { deliveriesOf, newDelivery, newEndpoint, tryDelivery } from "../../testing/webhooks.ts";

const WAIT_MS = 4_000;

describe.each(ENGINES)("deliveries on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine, { testWaitMs: WAIT_MS })), 60_000);
  afterAll(() => cast.world.close());

  const endpoint = () => newEndpoint(cast.world, cast.owner);
  const row = async (endpointId: number, id: number) => (await deliveriesOf(cast.world, endpointId)).find((one) => one.id === id) as Row<"deliveries">;
  const list = async (endpoint_id: number, query: Record<string, string> = {}) =>
    (await cast.world.call(cast.owner, webhooks.listDeliveries, { params: { endpoint_id }, query })).answer;
  const redeliver = (delivery_id: number) => cast.world.call(cast.owner, webhooks.redeliver, { params: { delivery_id } });
  const recover = (endpoint_id: number, since: number) =>
    cast.world.call(cast.owner, webhooks.recoverDeliveries, { params: { endpoint_id }, body: { since: new Date(since).toISOString() } });

  describe("the log", () => {
    test("pages through all, newest first, each once, though new ones come in between", async () => {
      const id = await endpoint();
      const now = cast.world.clock.now();
      const made: number[] = [];
      // Several in one millisecond, and one that a clock put back has dated earlier.
      for (const at of [1, 2, 2, 2, 3, 4, 4, 5, 0, 6, 6]) made.push(await newDelivery(cast.world, id, "delivered", { at: now + at }));
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const answer: Awaited<ReturnType<typeof list>> = await list(id, { limit: "3", ...(cursor === null ? {} : { cursor }) });
        seen.push(...answer.data.map((one) => one.id));
        cursor = answer.next_cursor;
        if (seen.length === 6) await newDelivery(cast.world, id, "delivered", { at: now + 9 });
      } while (cursor !== null);
      const [, , , , , , , , early] = made;
      expect(seen).toEqual([...made.filter((one) => one !== early).reverse(), early]);
    });

    test("is filtered by type, state and time", async () => {
      const id = await endpoint();
      const now = cast.world.clock.now();
      const a = await newDelivery(cast.world, id, "failed", { at: now - HOUR, type: "file.renamed" });
      const b = await newDelivery(cast.world, id, "failed", { at: now });
      const c = await newDelivery(cast.world, id, "held", { at: now });
      const ids = async (query: Record<string, string>) => (await list(id, query)).data.map((one) => one.id);
      const iso = (at: number) => new Date(at).toISOString();
      expect(await ids({})).toEqual([c, b, a]);
      expect(await ids({ state: "failed" })).toEqual([b, a]);
      expect(await ids({ event_type: "file.renamed" })).toEqual([a]);
      expect(await ids({ from: iso(now) })).toEqual([c, b]);
      expect(await ids({ to: iso(now) })).toEqual([a]);
      expect(await ids({ from: iso(now - HOUR), to: iso(now + 1), state: "held" })).toEqual([c]);
      expect(await ids({ state: "delivered" })).toEqual([]);
    });

    test("shows the newest attempt that has ended, also while the next is under way", async () => {
      const id = await endpoint();
      const delivery = await newDelivery(cast.world, id, "pending");
      const [waits, soon] = [{ state: "pending" as const }, cast.world.clock.now() + MINUTE];
      for (const status of [500, 503]) await tryDelivery(cast.world, delivery, { outcome: "http", status }, { ...waits, next_attempt_at: soon });
      await cast.world.database.write((tx) =>
        tx.updateTable("deliveries").set({ attempts: 3, lease_until: soon, lease_token: "x" }).where("id", "=", delivery).execute(),
      );
      expect((await list(id)).data[0]).toMatchObject({ attempt_count: 3, last_attempt: { number: 2, outcome: "http", status: 503 } });
    });

    test.runIf(engine === "sqlite")("reads no more than the page from a large one", async () => {
      const id = await endpoint();
      const now = cast.world.clock.now();
      const { event_id } = await row(id, await newDelivery(cast.world, id, "delivered", { at: now }));
      await cast.world.database.write((tx) =>
        sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
          insert into deliveries (endpoint_id, event_id, event_type, state, created_at, done_at)
          select ${id}, ${event_id}, 'file.renamed', case when i % 1000 = 0 then 'failed' else 'delivered' end, ${now} - i * 1000, ${now} from n`.execute(tx),
      );
      const plan = async (query: string): Promise<string> =>
        (await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(cast.world.database.read)).rows.map(({ detail }) => detail).join("; ");
      const some = "endpoint_id = 1 and created_at < 5 and (created_at, id) < (select created_at, id from deliveries where id = 7)";
      expect(await plan(`select * from deliveries where ${some} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_endpoint (?!.*TEMP B-TREE)/,
      );
      expect(await plan(`select * from deliveries where state = 'failed' and ${some} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_state (?!.*TEMP B-TREE)/,
      );
      expect(await plan(`select * from deliveries where event_type = 'file.added' and ${some} order by created_at desc, id desc limit 51`)).toMatch(
        /^SEARCH deliveries USING INDEX deliveries_type (?!.*TEMP B-TREE)/,
      );
      expect(
        await plan("select id from deliveries where endpoint_id = 1 and by_hand = 1 and next_attempt_at <= 5 order by next_attempt_at, id limit 1"),
      ).toMatch(/^SEARCH deliveries USING COVERING INDEX deliveries_by_hand /);
      expect((await list(id, { limit: "200" })).data).toHaveLength(200);
      expect((await list(id, { limit: "200", state: "failed" })).data).toHaveLength(20);
    });
  });

  describe("a receiver that asked to wait", () => {
    const until = () => cast.world.clock.now() + DAY;
    const ask = (id: number) =>
      cast.world.database.write((tx) => tx.updateTable("webhook_endpoints").set({ not_before: until() }).where("id", "=", id).execute());
    const get = async (delivery_id: number) => (await cast.world.call(cast.owner, webhooks.getDelivery, { params: { delivery_id } })).answer.data;
    test("is named as the time of the next try, but for what was sent again by hand", async () => {
      const id = await endpoint();
      const [waits, again] = [await newDelivery(cast.world, id, "pending"), await newDelivery(cast.world, id, "failed")];
      await ask(id);
      expect((await get(waits)).next_attempt_at).toBe(new Date(until()).toISOString());
      const { answer } = await cast.world.call(cast.owner, webhooks.redeliver, { params: { delivery_id: again } });
      expect(answer.data.next_attempt_at).toBe(new Date(cast.world.clock.now()).toISOString());
    });
    test("is called again once somebody recovers", async () => {
      const id = await endpoint();
      const failed = await newDelivery(cast.world, id, "failed");
      await ask(id);
      const since = new Date(cast.world.clock.now() - 1_000).toISOString();
      await cast.world.call(cast.owner, webhooks.recoverDeliveries, { params: { endpoint_id: id }, body: { since } });
      expect((await get(failed)).next_attempt_at).toBe(new Date(cast.world.clock.now()).toISOString());
    });
  });

  describe("sending again", () => {
    test("makes it due from the start of the schedule, with the same id and body", async () => {
      const id = await endpoint();
      const delivery = await newDelivery(cast.world, id, "pending");
      await tryDelivery(cast.world, delivery, {}, { state: "delivered", next_attempt_at: null, done_at: 5, step: 4 });
      const get = async () => (await cast.world.call(cast.owner, webhooks.getDelivery, { params: { delivery_id: delivery } })).answer.data;
      const before = await get();
      cast.world.clock.pass(MINUTE);
      expect((await redeliver(delivery)).answer.data).toMatchObject({ id: delivery, state: "pending", attempt_count: 1 });
      expect(await row(id, delivery)).toMatchObject({ state: "pending", step: 0, attempts: 1, next_attempt_at: cast.world.clock.now(), done_at: null });
      const after = await get();
      expect([after.event_id, after.body]).toEqual([before.event_id, before.body]);
      expect(after.attempts).toHaveLength(1);
    });

    test("is refused while a try is still to come, and happens once for twenty who ask at once", async () => {
      const id = await endpoint();
      const delivery = await newDelivery(cast.world, id, "failed");
      const replies = await Promise.all(Array.from({ length: 20 }, () => redeliver(delivery)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    });

    test("a test goes to a paused endpoint as well", async () => {
      const id = await endpoint();
      await cast.world.call(cast.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id: id }, body: { enabled: false } });
      expect((await redeliver(await newDelivery(cast.world, id, "failed", { test: true }))).status).toBe(200);
      expect((await redeliver(await newDelivery(cast.world, id, "failed"))).status).toBe(409);
    });
  });

  describe("recovering", () => {
    test("takes what failed, was held, or waits after a failure since then, in the order in which it happened", async () => {
      const id = await endpoint();
      const other = await endpoint();
      const now = cast.world.clock.now();
      const since = now - HOUR;
      const at = since + 1;
      const waiting = await newDelivery(cast.world, id, "pending", { at });
      await tryDelivery(cast.world, waiting, { outcome: "refused", status: null }, { state: "pending", next_attempt_at: now + DAY });
      const sent = await newDelivery(cast.world, id, "pending", { at });
      await tryDelivery(
        cast.world,
        sent,
        { outcome: "timeout", status: null },
        { state: "pending", next_attempt_at: now, lease_until: now + MINUTE, lease_token: "x" },
      );
      const fresh = await newDelivery(cast.world, id, "pending", { at });
      const [failed, held] = [await newDelivery(cast.world, id, "failed", { at }), await newDelivery(cast.world, id, "held", { at: since })];
      const untouched = [
        await newDelivery(cast.world, id, "failed", { at: since - 1 }),
        await newDelivery(cast.world, id, "delivered", { at }),
        await newDelivery(cast.world, id, "failed", { at, test: true }),
      ];
      const elsewhere = await newDelivery(cast.world, other, "failed", { at });
      expect((await recover(id, since)).answer).toEqual({ object: "recovery", data: { count: 3 } });
      for (const one of [waiting, failed, held]) expect(await row(id, one)).toMatchObject({ state: "pending", step: 0, next_attempt_at: now, done_at: null });
      expect(await row(id, sent)).toMatchObject({ state: "pending", step: 1, lease_token: "x" });
      expect(await row(id, fresh)).toMatchObject({ next_attempt_at: at });
      for (const one of untouched) expect((await row(id, one)).state).not.toBe("pending");
      expect((await row(other, elsewhere)).state).toBe("failed");
      // As the engine takes them up.
      const due = await cast.world.database.read
        .selectFrom("deliveries")
        .select("id")
        .where("endpoint_id", "=", id)
        .where("next_attempt_at", "=", now)
        .where("lease_until", "is", null)
        .orderBy("next_attempt_at")
        .orderBy("id")
        .execute();
      expect(due.map((one) => one.id)).toEqual([waiting, failed, held]);
    });

    test("goes 14 days back, with an hour's grace for other clocks, and no further", async () => {
      const id = await endpoint();
      const now = cast.world.clock.now();
      const old = await newDelivery(cast.world, id, "failed", { at: now - 14 * DAY });
      expect((await recover(id, now - 14 * DAY - 2 * HOUR)).problem.errors).toEqual([{ path: "since", message: "must be at most 14 days back" }]);
      expect((await recover(id, now - 14 * DAY)).answer.data.count).toBe(1);
      expect((await row(id, old)).state).toBe("pending");
      expect((await recover(id, now + HOUR)).answer.data.count).toBe(0);
    });
  });

  describe("a test event", () => {
    const send = (endpoint_id: number, headers: Record<string, string> = {}) =>
      cast.world.call(cast.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id }, body: { event_type: "file.renamed" } }, { headers });
    /** Does an engine's work in a process of its own, once there is a test to send. */
    async function engineElsewhere(endpointId: number, tried: Parameters<typeof tryDelivery>[2], after?: Parameters<typeof tryDelivery>[3]): Promise<void> {
      const database = cast.world.data.open();
      try {
        for (;;) {
          const due = await database.read
            .selectFrom("deliveries")
            .select("id")
            .where("endpoint_id", "=", endpointId)
            .where("state", "=", "pending")
            .executeTakeFirst();
          if (due) return await tryDelivery({ database, clock: cast.world.clock }, due.id, tried, after);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      } finally {
        await database.close();
      }
    }

    test("waits for what comes back, though the engine works in another process", async () => {
      const id = await endpoint();
      const [reply] = await Promise.all([send(id), engineElsewhere(id, { status: 200, response_body: '{"thanks":1}' })]);
      expect(reply.answer.data).toMatchObject({
        is_test: true,
        state: "delivered",
        attempts: [{ number: 1, outcome: "ok", status: 200, response_body: '{"thanks":1}' }],
      });
    });

    test("a failure is an answer too", async () => {
      const id = await endpoint();
      const [reply] = await Promise.all([
        send(id),
        engineElsewhere(
          id,
          { outcome: "tls", status: null, response_headers: null, response_body: null },
          { state: "failed", next_attempt_at: null, done_at: 1 },
        ),
      ]);
      expect(reply.answer.data).toMatchObject({
        state: "failed",
        last_attempt: { outcome: "tls", status: null },
        attempts: [{ response_headers: null, response_body: null }],
      });
    });

    test("answers that it still waits when nothing came back in time", async () => {
      const id = await endpoint();
      const began = performance.now();
      expect((await send(id)).answer.data).toMatchObject({ state: "pending", attempts: [] });
      expect(performance.now() - began).toBeGreaterThan(WAIT_MS - 50);
    });

    test("is sent once for twenty who ask at once with one key; all of them get the answer", async () => {
      const id = await endpoint();
      const [, ...replies] = await Promise.all([engineElsewhere(id, {}), ...Array.from({ length: 20 }, () => send(id, { "idempotency-key": `tests-${id}` }))]);
      expect(new Set(replies.map((reply) => reply.answer.data.id)).size).toBe(1);
      expect(replies.map((reply) => reply.answer.data.state)).toEqual(Array(20).fill("delivered"));
      expect(await deliveriesOf(cast.world, id)).toHaveLength(1);
    });

    test("goes to this endpoint only, and into no chart", async () => {
      const [id, other] = [await endpoint(), await newEndpoint(cast.world, cast.owner, { event_types: ["file.renamed"] })];
      await Promise.all([send(id), engineElsewhere(id, {})]);
      expect(await deliveriesOf(cast.world, other)).toEqual([]);
      const { data } = (await cast.world.call(cast.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id: id } })).answer;
      expect(data.recent.every((hour) => hour.delivered + hour.failed + hour.waiting === 0)).toBe(true);
      expect(data.last_delivered_at).not.toBeNull();
    });
  });
});
