/** Tests that manual deliveries go first, `Retry-After` is respected, and only responses from the current URL affect an endpoint. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../lib/clock.ts";
import { setupDeliveryTests } from "../testing/delivery-setup.ts";
import { ENGINES } from "../testing/engines.ts";

describe.each(ENGINES)("manual deliveries and Retry-After on %s", (engine) => {
  const context = setupDeliveryTests(engine);
  const { createEndpointAt, waitForState, waitForAttempts } = context;

  test("a test overtakes a backlog and attempts that hang at its receiver", async () => {
    let hangCount = 0;
    for (const failing_since of [null, context.clock.now()]) {
      hangCount = failing_since === null ? 0 : 3;
      // A separate path, since requests that the first engine sent before it stopped can still arrive.
      const path = `/mostly/${hangCount}`;
      context.receiver.handlers[path] = (response) => void (hangCount < 4 ? (hangCount += 1) : response.end());
      const endpoint = await createEndpointAt(path, { failing_since });
      for (let count = 0; count < 20; count += 1) await context.harness.createDelivery(endpoint, { next_attempt_at: context.clock.now() - HOUR });
      const worker = context.harness.startEngine({ deadlineMs: 60_000 });
      await context.harness.waitUntil("all its slots are used", async () => hangCount === 4);
      const probe = await context.harness.createDelivery(endpoint, { is_test: 1 });
      worker.wake();
      await waitForState(probe, "delivered");
      // The test event was sent after the hanging attempts and before all pending deliveries.
      const position = failing_since === null ? 4 : 1;
      expect(context.receiver.requests.filter((request) => request.path === path)[position]?.headers["webhook-id"]).toBe(
        (await context.harness.loadDelivery(probe)).event_id,
      );
      await worker.stop(0);
      await context.harness.database.write((tx) => tx.updateTable("deliveries").set({ state: "failed", next_attempt_at: null }).execute());
    }
  });

  test("only one of two tests gets the extra slot at a hanging receiver", async () => {
    context.receiver.handlers["/never"] = () => {};
    const endpoint = await createEndpointAt("/never");
    for (let count = 0; count < 8; count += 1) await context.harness.createDelivery(endpoint);
    context.harness.startEngine({ deadlineMs: 60_000 });
    // Counts only this path, since requests that another test's engine sent before it stopped can still arrive.
    const countArrived = () => context.receiver.requests.filter(({ path }) => path === "/never").length;
    await context.harness.waitUntil("all its slots are used", async () => countArrived() === 4);
    const probes = [await context.harness.createDelivery(endpoint, { is_test: 1 }), await context.harness.createDelivery(endpoint, { is_test: 1 })];
    await context.harness.waitUntil("the extra slot is used", async () => countArrived() === 5);
    await sleep(200);
    expect(countArrived()).toBe(5);
    expect((await Promise.all(probes.map((id) => context.harness.loadDelivery(id)))).map(({ attempts }) => attempts)).toEqual([1, 0]);
  });

  test("Retry-After delays all deliveries to an endpoint except manual ones", async () => {
    const endpoint = await createEndpointAt("/busy");
    const first = await context.harness.createDelivery(endpoint);
    const worker = context.harness.startEngine({ pollIntervalMs: 20 });
    await waitForAttempts(first, 1);
    expect((await context.harness.loadEndpoint(endpoint)).not_before).toBe(context.clock.now() + 120_000);
    const [nextDelivery, redelivered] = [await context.harness.createDelivery(endpoint), await context.harness.createDelivery(endpoint, { by_hand: 1 })];
    await waitForAttempts(redelivered, 1);
    expect(await context.harness.loadDelivery(redelivered)).toMatchObject({ state: "pending", by_hand: 0 });
    const probe = await context.harness.createDelivery(endpoint, { is_test: 1 });
    await waitForState(probe, "failed");
    expect(await context.harness.loadDelivery(nextDelivery)).toMatchObject({ attempts: 0, state: "pending" });
    context.clock.advance(119_999);
    worker.wake();
    await waitForState(await context.harness.createDelivery(await createEndpointAt("/ok")), "delivered");
    expect(await context.harness.loadAttempts(nextDelivery)).toEqual([]);
    context.receiver.handlers["/busy"] = (response) => response.end();
    context.clock.advance(1);
    await waitForState(nextDelivery, "delivered");
    context.receiver.handlers["/busy"] = (response) => response.writeHead(429, { "retry-after": "120" }).end();
  });

  test("a successful manual delivery ends the delay, and a delay too far in the future is ignored", async () => {
    const backoff = { not_before: context.clock.now() + HOUR };
    const [readyEndpoint, farEndpoint] = [await createEndpointAt("/ok", backoff), await createEndpointAt("/ok", { not_before: context.clock.now() + 2 * DAY })];
    const [readyDelivery, farDelivery] = [await context.harness.createDelivery(readyEndpoint), await context.harness.createDelivery(farEndpoint)];
    context.harness.startEngine();
    await waitForState(farDelivery, "delivered");
    expect(await context.harness.loadAttempts(readyDelivery)).toEqual([]);
    await context.harness.createDelivery(readyEndpoint, { is_test: 1 });
    await waitForState(readyDelivery, "delivered");
    expect((await context.harness.loadEndpoint(readyEndpoint)).not_before).toBeNull();
  });

  test.each([
    ["/late-gone", 410],
    ["/late-busy", 503],
    ["/late-ok", 200],
  ])("%s: a response from the endpoint's previous URL changes only its delivery", async (path, status) => {
    const barrier = Promise.withResolvers<void>();
    context.receiver.handlers[path] = async (response) => {
      await barrier.promise;
      response.writeHead(status, status === 503 ? { "retry-after": "3600" } : {}).end();
    };
    const endpoint = await createEndpointAt(path, { failing_since: context.clock.now() - 6 * DAY });
    const id = await context.harness.createDelivery(endpoint, { step: 2 });
    context.harness.startEngine();
    await context.harness.waitUntil("it is there", async () => context.receiver.requests.some((request) => request.path === path));
    const failing_since = status === 200 ? context.clock.now() - HOUR : null;
    await context.harness.database.write((tx) =>
      tx
        .updateTable("webhook_endpoints")
        .set({ url: `${context.receiver.base}/new`, failing_since })
        .execute(),
    );
    const before = await context.harness.loadEndpoint(endpoint);
    barrier.resolve();
    await waitForAttempts(id, 1);
    expect(await context.harness.loadEndpoint(endpoint)).toEqual(before);
    expect(await context.harness.loadDelivery(id)).toMatchObject(status === 200 ? { state: "delivered" } : { state: "pending", step: 3 });
    expect(context.harness.published.endpoints).toEqual([]);
  });

  test("resets due times in the future at the start, and tries again after a failed reset", async () => {
    const futureDelivery = await context.harness.createDelivery(await createEndpointAt("/ok"), { next_attempt_at: context.clock.now() + HOUR });
    let remainingFailures = 1;
    const write: typeof context.harness.database.write = (work) =>
      (remainingFailures -= 1) >= 0 ? Promise.reject(new Error("no disk")) : context.harness.database.write(work);
    context.harness.startEngine({ database: { ...context.harness.database, write } });
    await waitForState(futureDelivery, "delivered");
    expect(context.harness.warnings.splice(0).map(String)).toEqual(["Error: no disk"]);
  });
});
