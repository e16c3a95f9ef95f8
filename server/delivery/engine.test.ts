/** Tests the delivery engine on both database engines against local receivers. */
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../lib/clock.ts";
import { EVENT_DATA } from "../testing/delivery-harness.ts";
import { setupDeliveryTests } from "../testing/delivery-setup.ts";
import { ENGINES } from "../testing/engines.ts";

describe.each(ENGINES)("delivery on %s", (engine) => {
  const context = setupDeliveryTests(engine);
  const { createEndpointAt, loadState, waitForState, waitForAttempts } = context;

  test("sends a due delivery, records the attempt and publishes it", async () => {
    const id = await context.harness.createDelivery(await createEndpointAt("/ok"));
    context.harness.startEngine();
    await waitForState(id, "delivered");
    const row = await context.harness.loadDelivery(id);
    expect(row).toMatchObject({ step: 1, attempts: 1, next_attempt_at: null, lease_until: null, lease_token: null, done_at: context.clock.now() });
    expect(context.receiver.requests.map(({ body }) => body)).toEqual([`{"object":"event","id":"${row.event_id}","type":"file.renamed","data":${EVENT_DATA}}`]);
    const [attempt] = await context.harness.loadAttempts(id);
    expect(attempt).toMatchObject({ number: 1, outcome: "ok", status: 200, started_at: context.clock.now(), response_body: '{"received":true}' });
    expect(JSON.parse(attempt!.request_headers)).toMatchObject({ "webhook-id": row.event_id, "content-type": "application/json" });
    expect(context.harness.published).toEqual({ deliveries: [id], endpoints: [] });
  });

  test("starts on a wake-up, and polls without one", async () => {
    const endpoint = await createEndpointAt("/ok");
    const worker = context.harness.startEngine({ pollIntervalMs: 60_000 });
    await sleep(50);
    const first = await context.harness.createDelivery(endpoint);
    worker.wake();
    await waitForState(first, "delivered");
    await worker.stop();
    context.harness.startEngine({ pollIntervalMs: 20 });
    await waitForState(await context.harness.createDelivery(endpoint), "delivered");
    expect(context.receiver.requests).toHaveLength(2);
  });

  test("every attempt sends the same body and id with a new signature", async () => {
    const endpoint = await createEndpointAt("/turns");
    let remainingFailures = 3;
    context.receiver.handlers["/turns"] = (response) => response.writeHead((remainingFailures -= 1) >= 0 ? 500 : 200).end();
    const id = await context.harness.createDelivery(endpoint);
    context.harness.startEngine();
    for (let count = 1; count <= 4; count += 1) {
      await waitForAttempts(id, count);
      context.clock.advance(40 * MINUTE);
    }
    expect(await loadState(id)).toBe("delivered");
    const { event_id } = await context.harness.loadDelivery(id);
    const { secret } = await context.harness.loadEndpoint(endpoint);
    expect(new Set(context.receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(context.receiver.requests.map(({ headers }) => headers["webhook-id"])).toEqual(Array.from({ length: 4 }, () => event_id));
    expect(new Set(context.receiver.requests.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
    const [first] = context.receiver.requests;
    expect(new Webhook(secret).verify(first!.body, first!.headers)).toMatchObject({ id: event_id });
  });

  test("retries a failing endpoint on schedule, then fails the delivery", async () => {
    const endpoint = await createEndpointAt("/broken");
    const id = await context.harness.createDelivery(endpoint);
    context.harness.startEngine();
    const delays: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      await waitForAttempts(id, count);
      const { next_attempt_at } = await context.harness.loadDelivery(id);
      if (next_attempt_at === null) break;
      delays.push(next_attempt_at - context.clock.now());
      context.clock.advance(next_attempt_at - context.clock.now());
    }
    expect(delays.map((ms) => ms / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await context.harness.loadDelivery(id)).toMatchObject({ state: "failed", step: 10, attempts: 10, done_at: context.clock.now() });
    expect(await context.harness.loadEndpoint(endpoint)).toMatchObject({ enabled: 1, failing_since: (await context.harness.loadAttempts(id))[0]!.started_at });
  });

  test("a success clears the endpoint's failing state", async () => {
    const endpoint = await createEndpointAt("/ok", { failing_since: context.clock.now() - 4 * DAY });
    await waitForState((context.harness.startEngine(), await context.harness.createDelivery(endpoint)), "delivered");
    expect(await context.harness.loadEndpoint(endpoint)).toMatchObject({ failing_since: null, enabled: 1 });
    expect(context.harness.published.endpoints).toEqual([endpoint]);
  });

  test("a 410 response disables the endpoint at once and holds its pending deliveries", async () => {
    const endpoint = await createEndpointAt("/gone");
    const later = await context.harness.createDelivery(endpoint, { next_attempt_at: context.clock.now() + HOUR, step: 3 });
    const id = await context.harness.createDelivery(endpoint);
    context.harness.startEngine();
    await waitForState(id, "failed");
    expect(await context.harness.loadEndpoint(endpoint)).toMatchObject({
      enabled: 0,
      disabled_reason: "gone",
      disabled_at: context.clock.now(),
      disabled_by: null,
    });
    expect(await context.harness.loadDelivery(later)).toMatchObject({ state: "held", next_attempt_at: null, step: 3 });
    expect(context.harness.published).toEqual({ deliveries: [id, later], endpoints: [endpoint] });
    expect(context.receiver.requests).toHaveLength(1);
  });

  test("five days of failures disable the endpoint and hold the delivery in progress", async () => {
    const endpoint = await createEndpointAt("/broken", { failing_since: context.clock.now() - 5 * DAY });
    const id = await context.harness.createDelivery(endpoint, { step: 2 });
    context.harness.startEngine();
    await waitForState(id, "held");
    expect(await context.harness.loadEndpoint(endpoint)).toMatchObject({ enabled: 0, disabled_reason: "failing" });
  });

  test("429 and 503 responses delay the next attempt by their Retry-After", async () => {
    const id = await context.harness.createDelivery(await createEndpointAt("/busy"));
    const other = await context.harness.createDelivery(await createEndpointAt("/unavailable"));
    context.harness.startEngine();
    await waitForAttempts(id, 1);
    await waitForAttempts(other, 1);
    expect((await context.harness.loadDelivery(id)).next_attempt_at).toBe(context.clock.now() + 120_000);
    expect((await context.harness.loadDelivery(other)).next_attempt_at! - context.clock.now()).toBeGreaterThan(590_000);
  });

  test("sends nothing to paused or deleted endpoints, except a test to a paused one", async () => {
    const paused = await createEndpointAt("/paused", { enabled: 0 });
    const waiting = await context.harness.createDelivery(paused);
    const probe = await context.harness.createDelivery(paused, { is_test: 1 });
    const deleted = await context.harness.createDelivery(await createEndpointAt("/deleted", { deleted_at: context.clock.now() }), { is_test: 1 });
    context.harness.startEngine();
    await waitForState(probe, "delivered");
    await sleep(150);
    expect(context.receiver.requests.map(({ path }) => path)).toEqual(["/paused"]);
    expect([await loadState(waiting), await loadState(deleted)]).toEqual(["pending", "pending"]);
  });

  test("a test is attempted once", async () => {
    const id = await context.harness.createDelivery(await createEndpointAt("/broken"), { is_test: 1 });
    context.harness.startEngine();
    await waitForState(id, "failed");
    expect(await context.harness.loadAttempts(id)).toHaveLength(1);
  });

  test("if the endpoint is paused during an attempt, a failure is held and a success counts", async () => {
    const [bad, good] = [await createEndpointAt("/slow-bad"), await createEndpointAt("/slow-good")];
    const barrier = Promise.withResolvers<void>();
    for (const [path, status] of [
      ["/slow-bad", 500],
      ["/slow-good", 200],
    ] as const)
      context.receiver.handlers[path] = async (response) => {
        await barrier.promise;
        response.writeHead(status).end();
      };
    const ids = [await context.harness.createDelivery(bad), await context.harness.createDelivery(good)];
    context.harness.startEngine();
    await context.receiver.waitForRequests(2);
    await context.harness.database.write((tx) => tx.updateTable("webhook_endpoints").set({ enabled: 0 }).execute());
    barrier.resolve();
    await waitForState(ids[0]!, "held");
    await waitForState(ids[1]!, "delivered");
    expect((await context.harness.loadDeliveries()).map(({ step, lease_until }) => [step, lease_until])).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  test("sends at most four deliveries to an endpoint at a time, and one if the endpoint is failing", async () => {
    let [activeCount, maxActiveCount] = [0, 0];
    const countConcurrency = async (response: { end(): void }): Promise<void> => {
      maxActiveCount = Math.max(maxActiveCount, (activeCount += 1));
      await sleep(20);
      activeCount -= 1;
      response.end();
    };
    context.receiver.handlers["/counted"] = countConcurrency;
    const ids: number[] = [];
    const healthy = await createEndpointAt("/counted");
    for (let index = 0; index < 20; index += 1) ids.push(await context.harness.createDelivery(healthy));
    context.harness.startEngine();
    await context.harness.waitUntil("all sent", async () =>
      (await context.harness.loadDeliveries()).every(({ state: deliveryState }) => deliveryState === "delivered"),
    );
    expect(maxActiveCount).toBe(4);

    maxActiveCount = 0;
    context.receiver.handlers["/failing"] = async (response) => {
      maxActiveCount = Math.max(maxActiveCount, (activeCount += 1));
      await sleep(20);
      activeCount -= 1;
      response.writeHead(500).end();
    };
    const failing = await createEndpointAt("/failing", { failing_since: context.clock.now() });
    for (let index = 0; index < 6; index += 1) ids.push(await context.harness.createDelivery(failing));
    await context.harness.waitUntil("all attempted", async () => (await context.harness.loadDeliveries()).every(({ step }) => step === 1));
    expect(maxActiveCount).toBe(1);
    expect(new Set(context.receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(26);
  });

  test("an unreadable secret fails the attempt, and retries follow the schedule until the secret is rotated", async () => {
    let secrets: string[] = [];
    const endpoint = await createEndpointAt("/ok");
    const id = await context.harness.createDelivery(endpoint);
    context.harness.startEngine({ decryptSecrets: () => secrets });
    await waitForAttempts(id, 1);
    expect(await context.harness.loadDelivery(id)).toMatchObject({
      state: "pending",
      step: 1,
      lease_until: null,
      next_attempt_at: context.clock.now() + 5_000,
    });
    expect((await context.harness.loadAttempts(id))[0]).toMatchObject({ outcome: "unsigned", status: null, request_headers: "{}" });
    expect((await context.harness.loadEndpoint(endpoint)).failing_since).toBe(context.clock.now());
    expect(context.receiver.requests).toEqual([]);
    secrets = [`whsec_${Buffer.alloc(32).toString("base64")}`];
    context.clock.advance(5_000);
    await waitForState(id, "delivered");
  });

  test("a result that cannot be recorded does not block other deliveries", async () => {
    const [bad, good] = [
      await context.harness.createDelivery(await createEndpointAt("/ok")),
      await context.harness.createDelivery(await createEndpointAt("/ok")),
    ];
    const publishDeliveries = async (_tx: unknown, ids: number[]): Promise<void> => {
      if (ids.includes(bad)) throw new Error("an unexpected error");
    };
    context.harness.startEngine({ publisher: { publishDeliveries, publishEndpoint: async () => {}, publishDisabled: async () => {} } });
    await waitForState(good, "delivered");
    await context.harness.waitUntil("the warning", async () => context.harness.warnings.length > 0);
    expect(String(context.harness.warnings.splice(0)[0])).toContain("an unexpected error");
    expect(await context.harness.loadDelivery(bad)).toMatchObject({ state: "pending" });
    expect((await context.harness.loadDelivery(bad)).lease_until).not.toBeNull();
  });
});
