/** The engine over both databases, at receivers of our own. */
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../lib/clock.ts";
import { movableClock, type MovableClock } from "../testing/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { DATA, openPostOffice, type PostOffice } from "../testing/post-office.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";

describe.each(ENGINES)("delivery on %s", (engine) => {
  let receiver: Receiver;
  let office: PostOffice;
  let clock: MovableClock;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.got.length = 0;
    clock = movableClock(Date.now());
    office = await openPostOffice(engine, clock);
  });
  afterEach(async () => {
    await office.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(office.warnings).toEqual([]);
  });

  const at = (path: string, more = {}) => office.endpoint(`${receiver.base}${path}`, more);
  const state = async (id: number): Promise<string> => (await office.delivery(id)).state;
  const becomes = (id: number, wanted: string) => office.until(`delivery ${id} ${wanted}`, async () => (await state(id)) === wanted);
  const tries = (id: number, count: number) => office.until(`delivery ${id} tried ${count} times`, async () => (await office.attempts(id)).length === count);

  test("what is due is sent, recorded and told", async () => {
    const id = await office.post(await at("/ok"));
    office.start();
    await becomes(id, "delivered");
    const row = await office.delivery(id);
    expect(row).toMatchObject({ step: 1, attempts: 1, next_attempt_at: null, lease_until: null, lease_token: null, done_at: clock.now() });
    expect(receiver.got.map(({ body }) => body)).toEqual([`{"object":"event","id":"${row.event_id}","type":"file.renamed","data":${DATA}}`]);
    const [attempt] = await office.attempts(id);
    expect(attempt).toMatchObject({ number: 1, outcome: "ok", status: 200, started_at: clock.now(), response_body: '{"received":true}' });
    expect(JSON.parse(attempt!.request_headers)).toMatchObject({ "webhook-id": row.event_id, "content-type": "application/json" });
    expect(office.told).toEqual({ deliveries: [id], endpoints: [] });
  });

  test("it is woken, and looks by itself where nobody wakes it", async () => {
    const endpoint = await at("/ok");
    const woken = office.start({ lookEveryMs: 60_000 });
    await sleep(50);
    const first = await office.post(endpoint);
    woken.wake();
    await becomes(first, "delivered");
    await woken.stop();
    office.start({ lookEveryMs: 20 });
    await becomes(await office.post(endpoint), "delivered");
    expect(receiver.got).toHaveLength(2);
  });

  test("every try sends the same bytes under the same id, signed anew", async () => {
    const endpoint = await at("/turns");
    let fails = 3;
    receiver.answers["/turns"] = (response) => response.writeHead((fails -= 1) >= 0 ? 500 : 200).end();
    const id = await office.post(endpoint);
    office.start();
    for (let count = 1; count <= 4; count += 1) {
      await tries(id, count);
      clock.pass(40 * MINUTE);
    }
    expect(await state(id)).toBe("delivered");
    const { event_id } = await office.delivery(id);
    const { secret } = await office.endpointRow(endpoint);
    expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1);
    expect(receiver.got.map(({ headers }) => headers["webhook-id"])).toEqual(Array.from({ length: 4 }, () => event_id));
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
    const [first] = receiver.got;
    expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({ id: event_id });
  });

  test("a failing endpoint is tried by the schedule, then given up", async () => {
    const endpoint = await at("/broken");
    const id = await office.post(endpoint);
    office.start();
    const waits: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      await tries(id, count);
      const { next_attempt_at } = await office.delivery(id);
      if (next_attempt_at === null) break;
      waits.push(next_attempt_at - clock.now());
      clock.pass(next_attempt_at - clock.now());
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await office.delivery(id)).toMatchObject({ state: "failed", step: 10, attempts: 10, done_at: clock.now() });
    expect(await office.endpointRow(endpoint)).toMatchObject({ enabled: 1, failing_since: (await office.attempts(id))[0]!.started_at });
  });

  test("a success ends the failing", async () => {
    const endpoint = await at("/ok", { failing_since: clock.now() - 4 * DAY });
    await becomes((office.start(), await office.post(endpoint)), "delivered");
    expect(await office.endpointRow(endpoint)).toMatchObject({ failing_since: null, enabled: 1 });
    expect(office.told.endpoints).toEqual([endpoint]);
  });

  test("410 disables the endpoint at once; what waits is kept", async () => {
    const endpoint = await at("/gone");
    const later = await office.post(endpoint, { next_attempt_at: clock.now() + HOUR, step: 3 });
    const id = await office.post(endpoint);
    office.start();
    await becomes(id, "failed");
    expect(await office.endpointRow(endpoint)).toMatchObject({ enabled: 0, disabled_reason: "gone", disabled_at: clock.now(), disabled_by: null });
    expect(await office.delivery(later)).toMatchObject({ state: "held", next_attempt_at: null, step: 3 });
    expect(office.told).toEqual({ deliveries: [id, later], endpoints: [endpoint] });
    expect(receiver.got).toHaveLength(1);
  });

  test("five days of nothing but failures disable it; what was being tried is kept", async () => {
    const endpoint = await at("/broken", { failing_since: clock.now() - 5 * DAY });
    const id = await office.post(endpoint, { step: 2 });
    office.start();
    await becomes(id, "held");
    expect(await office.endpointRow(endpoint)).toMatchObject({ enabled: 0, disabled_reason: "failing" });
  });

  test("429 and 503 say when to come again", async () => {
    const id = await office.post(await at("/busy"));
    const other = await office.post(await at("/unavailable"));
    office.start();
    await tries(id, 1);
    await tries(other, 1);
    expect((await office.delivery(id)).next_attempt_at).toBe(clock.now() + 120_000);
    expect((await office.delivery(other)).next_attempt_at! - clock.now()).toBeGreaterThan(590_000);
  });

  test("nothing goes to endpoints that are paused or deleted, but a test to a paused one", async () => {
    const paused = await at("/paused", { enabled: 0 });
    const waiting = await office.post(paused);
    const probe = await office.post(paused, { is_test: 1 });
    const deleted = await office.post(await at("/deleted", { deleted_at: clock.now() }), { is_test: 1 });
    office.start();
    await becomes(probe, "delivered");
    await sleep(150);
    expect(receiver.got.map(({ path }) => path)).toEqual(["/paused"]);
    expect([await state(waiting), await state(deleted)]).toEqual(["pending", "pending"]);
  });

  test("a test is tried once", async () => {
    const id = await office.post(await at("/broken"), { is_test: 1 });
    office.start();
    await becomes(id, "failed");
    expect(await office.attempts(id)).toHaveLength(1);
  });

  test("paused while a try is under way: a failure is kept, a success counts", async () => {
    const [bad, good] = [await at("/slow-bad"), await at("/slow-good")];
    const gate = Promise.withResolvers<void>();
    for (const [path, status] of [
      ["/slow-bad", 500],
      ["/slow-good", 200],
    ] as const)
      receiver.answers[path] = async (response) => {
        await gate.promise;
        response.writeHead(status).end();
      };
    const ids = [await office.post(bad), await office.post(good)];
    office.start();
    await receiver.until(2);
    await office.database.write((tx) => tx.updateTable("webhook_endpoints").set({ enabled: 0 }).execute());
    gate.resolve();
    await becomes(ids[0]!, "held");
    await becomes(ids[1]!, "delivered");
    expect((await office.deliveries()).map(({ step, lease_until }) => [step, lease_until])).toEqual([
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
    receiver.answers["/counted"] = count;
    const ids: number[] = [];
    const healthy = await at("/counted");
    for (let index = 0; index < 20; index += 1) ids.push(await office.post(healthy));
    office.start();
    await office.until("all sent", async () => (await office.deliveries()).every(({ state: one }) => one === "delivered"));
    expect(most).toBe(4);

    most = 0;
    receiver.answers["/failing"] = async (response) => {
      most = Math.max(most, (now += 1));
      await sleep(20);
      now -= 1;
      response.writeHead(500).end();
    };
    const failing = await at("/failing", { failing_since: clock.now() });
    for (let index = 0; index < 6; index += 1) ids.push(await office.post(failing));
    await office.until("all tried", async () => (await office.deliveries()).every(({ step }) => step === 1));
    expect(most).toBe(1);
    expect(new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(26);
  });

  test("a secret that cannot be read is a failed try, by the schedule, until it is rotated", async () => {
    let secrets: string[] = [];
    const endpoint = await at("/ok");
    const id = await office.post(endpoint);
    office.start({ secretsOf: () => secrets });
    await tries(id, 1);
    expect(await office.delivery(id)).toMatchObject({ state: "pending", step: 1, lease_until: null, next_attempt_at: clock.now() + 5_000 });
    expect((await office.attempts(id))[0]).toMatchObject({ outcome: "unsigned", status: null, request_headers: "{}" });
    expect((await office.endpointRow(endpoint)).failing_since).toBe(clock.now());
    expect(receiver.got).toEqual([]);
    secrets = [`whsec_${Buffer.alloc(32).toString("base64")}`];
    clock.pass(5_000);
    await becomes(id, "delivered");
  });

  test("one that cannot be recorded keeps no other from it", async () => {
    const [bad, good] = [await office.post(await at("/ok")), await office.post(await at("/ok"))];
    const deliveries = async (_tx: unknown, ids: number[]): Promise<void> => {
      if (ids.includes(bad)) throw new Error("a fault of ours");
    };
    office.start({ tell: { deliveries, endpoint: async () => {} } });
    await becomes(good, "delivered");
    await office.until("told", async () => office.warnings.length > 0);
    expect(String(office.warnings.splice(0)[0])).toContain("a fault of ours");
    expect(await office.delivery(bad)).toMatchObject({ state: "pending" });
    expect((await office.delivery(bad)).lease_until).not.toBeNull();
  });
});
