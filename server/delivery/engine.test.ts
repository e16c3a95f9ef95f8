/** The engine over both databases, at receivers of our own. */
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../lib/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { givenDelivery } from "../testing/given-delivery.ts";
import { DATA } from "../testing/post-office.ts";

describe.each(ENGINES)("delivery on %s", (engine) => {
  const given = givenDelivery(engine);
  const { at, state, becomes, tries } = given;

  test("what is due is sent, recorded and told", async () => {
    const id = await given.office.post(await at("/ok"));
    given.office.start();
    await becomes(id, "delivered");
    const row = await given.office.delivery(id);
    expect(row).toMatchObject({ step: 1, attempts: 1, next_attempt_at: null, lease_until: null, lease_token: null, done_at: given.clock.now() });
    expect(given.receiver.got.map(({ body }) => body)).toEqual([`{"object":"event","id":"${row.event_id}","type":"file.renamed","data":${DATA}}`]);
    const [attempt] = await given.office.attempts(id);
    expect(attempt).toMatchObject({ number: 1, outcome: "ok", status: 200, started_at: given.clock.now(), response_body: '{"received":true}' });
    expect(JSON.parse(attempt!.request_headers)).toMatchObject({ "webhook-id": row.event_id, "content-type": "application/json" });
    expect(given.office.told).toEqual({ deliveries: [id], endpoints: [] });
  });

  test("it is woken, and looks by itself where nobody wakes it", async () => {
    const endpoint = await at("/ok");
    const woken = given.office.start({ lookEveryMs: 60_000 });
    await sleep(50);
    const first = await given.office.post(endpoint);
    woken.wake();
    await becomes(first, "delivered");
    await woken.stop();
    given.office.start({ lookEveryMs: 20 });
    await becomes(await given.office.post(endpoint), "delivered");
    expect(given.receiver.got).toHaveLength(2);
  });

  test("every try sends the same bytes under the same id, signed anew", async () => {
    const endpoint = await at("/turns");
    let fails = 3;
    given.receiver.answers["/turns"] = (response) => response.writeHead((fails -= 1) >= 0 ? 500 : 200).end();
    const id = await given.office.post(endpoint);
    given.office.start();
    for (let count = 1; count <= 4; count += 1) {
      await tries(id, count);
      given.clock.pass(40 * MINUTE);
    }
    expect(await state(id)).toBe("delivered");
    const { event_id } = await given.office.delivery(id);
    const { secret } = await given.office.endpointRow(endpoint);
    expect(new Set(given.receiver.got.map(({ body }) => body)).size).toBe(1);
    expect(given.receiver.got.map(({ headers }) => headers["webhook-id"])).toEqual(Array.from({ length: 4 }, () => event_id));
    expect(new Set(given.receiver.got.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
    const [first] = given.receiver.got;
    expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({ id: event_id });
  });

  test("a failing endpoint is tried by the schedule, then given up", async () => {
    const endpoint = await at("/broken");
    const id = await given.office.post(endpoint);
    given.office.start();
    const waits: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      await tries(id, count);
      const { next_attempt_at } = await given.office.delivery(id);
      if (next_attempt_at === null) break;
      waits.push(next_attempt_at - given.clock.now());
      given.clock.pass(next_attempt_at - given.clock.now());
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await given.office.delivery(id)).toMatchObject({ state: "failed", step: 10, attempts: 10, done_at: given.clock.now() });
    expect(await given.office.endpointRow(endpoint)).toMatchObject({ enabled: 1, failing_since: (await given.office.attempts(id))[0]!.started_at });
  });

  test("a success ends the failing", async () => {
    const endpoint = await at("/ok", { failing_since: given.clock.now() - 4 * DAY });
    await becomes((given.office.start(), await given.office.post(endpoint)), "delivered");
    expect(await given.office.endpointRow(endpoint)).toMatchObject({ failing_since: null, enabled: 1 });
    expect(given.office.told.endpoints).toEqual([endpoint]);
  });

  test("410 disables the endpoint at once; what waits is kept", async () => {
    const endpoint = await at("/gone");
    const later = await given.office.post(endpoint, { next_attempt_at: given.clock.now() + HOUR, step: 3 });
    const id = await given.office.post(endpoint);
    given.office.start();
    await becomes(id, "failed");
    expect(await given.office.endpointRow(endpoint)).toMatchObject({ enabled: 0, disabled_reason: "gone", disabled_at: given.clock.now(), disabled_by: null });
    expect(await given.office.delivery(later)).toMatchObject({ state: "held", next_attempt_at: null, step: 3 });
    expect(given.office.told).toEqual({ deliveries: [id, later], endpoints: [endpoint] });
    expect(given.receiver.got).toHaveLength(1);
  });

  test("five days of nothing but failures disable it; what was being tried is kept", async () => {
    const endpoint = await at("/broken", { failing_since: given.clock.now() - 5 * DAY });
    const id = await given.office.post(endpoint, { step: 2 });
    given.office.start();
    await becomes(id, "held");
    expect(await given.office.endpointRow(endpoint)).toMatchObject({ enabled: 0, disabled_reason: "failing" });
  });

  test("429 and 503 say when to come again", async () => {
    const id = await given.office.post(await at("/busy"));
    const other = await given.office.post(await at("/unavailable"));
    given.office.start();
    await tries(id, 1);
    await tries(other, 1);
    expect((await given.office.delivery(id)).next_attempt_at).toBe(given.clock.now() + 120_000);
    expect((await given.office.delivery(other)).next_attempt_at! - given.clock.now()).toBeGreaterThan(590_000);
  });

  test("nothing goes to endpoints that are paused or deleted, but a test to a paused one", async () => {
    const paused = await at("/paused", { enabled: 0 });
    const waiting = await given.office.post(paused);
    const probe = await given.office.post(paused, { is_test: 1 });
    const deleted = await given.office.post(await at("/deleted", { deleted_at: given.clock.now() }), { is_test: 1 });
    given.office.start();
    await becomes(probe, "delivered");
    await sleep(150);
    expect(given.receiver.got.map(({ path }) => path)).toEqual(["/paused"]);
    expect([await state(waiting), await state(deleted)]).toEqual(["pending", "pending"]);
  });

  test("a test is tried once", async () => {
    const id = await given.office.post(await at("/broken"), { is_test: 1 });
    given.office.start();
    await becomes(id, "failed");
    expect(await given.office.attempts(id)).toHaveLength(1);
  });

  test("paused while a try is under way: a failure is kept, a success counts", async () => {
    const [bad, good] = [await at("/slow-bad"), await at("/slow-good")];
    const gate = Promise.withResolvers<void>();
    for (const [path, status] of [
      ["/slow-bad", 500],
      ["/slow-good", 200],
    ] as const)
      given.receiver.answers[path] = async (response) => {
        await gate.promise;
        response.writeHead(status).end();
      };
    const ids = [await given.office.post(bad), await given.office.post(good)];
    given.office.start();
    await given.receiver.until(2);
    await given.office.database.write((tx) => tx.updateTable("webhook_endpoints").set({ enabled: 0 }).execute());
    gate.resolve();
    await becomes(ids[0]!, "held");
    await becomes(ids[1]!, "delivered");
    expect((await given.office.deliveries()).map(({ step, lease_until }) => [step, lease_until])).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  test("at most four are under way at one endpoint, one where it has only failed lately", async () => {
    let [now, most] = [0, 0];
    const count = async (response: { end(): void }): Promise<void> => {
      most = Math.max(most, (now += 1));
      await sleep(20);
      now -= 1;
      response.end();
    };
    given.receiver.answers["/counted"] = count;
    const ids: number[] = [];
    const healthy = await at("/counted");
    for (let index = 0; index < 20; index += 1) ids.push(await given.office.post(healthy));
    given.office.start();
    await given.office.until("all sent", async () => (await given.office.deliveries()).every(({ state: one }) => one === "delivered"));
    expect(most).toBe(4);

    most = 0;
    given.receiver.answers["/failing"] = async (response) => {
      most = Math.max(most, (now += 1));
      await sleep(20);
      now -= 1;
      response.writeHead(500).end();
    };
    const failing = await at("/failing", { failing_since: given.clock.now() });
    for (let index = 0; index < 6; index += 1) ids.push(await given.office.post(failing));
    await given.office.until("all tried", async () => (await given.office.deliveries()).every(({ step }) => step === 1));
    expect(most).toBe(1);
    expect(new Set(given.receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(26);
  });

  test("a secret that cannot be read is a failed try, by the schedule, until it is rotated", async () => {
    let secrets: string[] = [];
    const endpoint = await at("/ok");
    const id = await given.office.post(endpoint);
    given.office.start({ secretsOf: () => secrets });
    await tries(id, 1);
    expect(await given.office.delivery(id)).toMatchObject({ state: "pending", step: 1, lease_until: null, next_attempt_at: given.clock.now() + 5_000 });
    expect((await given.office.attempts(id))[0]).toMatchObject({ outcome: "unsigned", status: null, request_headers: "{}" });
    expect((await given.office.endpointRow(endpoint)).failing_since).toBe(given.clock.now());
    expect(given.receiver.got).toEqual([]);
    secrets = [`whsec_${Buffer.alloc(32).toString("base64")}`];
    given.clock.pass(5_000);
    await becomes(id, "delivered");
  });

  test("one that cannot be recorded keeps no other from it", async () => {
    const [bad, good] = [await given.office.post(await at("/ok")), await given.office.post(await at("/ok"))];
    const deliveries = async (_tx: unknown, ids: number[]): Promise<void> => {
      if (ids.includes(bad)) throw new Error("a fault of ours");
    };
    given.office.start({ tell: { deliveries, endpoint: async () => {} } });
    await becomes(good, "delivered");
    await given.office.until("told", async () => given.office.warnings.length > 0);
    expect(String(given.office.warnings.splice(0)[0])).toContain("a fault of ours");
    expect(await given.office.delivery(bad)).toMatchObject({ state: "pending" });
    expect((await given.office.delivery(bad)).lease_until).not.toBeNull();
  });
});
