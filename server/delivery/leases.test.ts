/** Tests leases: stopping, dying workers, losing a lease, and changes to the clock. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "../lib/clock.ts";
import { setupDeliveryTests } from "../testing/delivery-setup.ts";
import { ENGINES } from "../testing/engines.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { releaseLeases, LEASE_MS } from "./leases.ts";

describe.each(ENGINES)("leases on %s", (engine) => {
  const context = setupDeliveryTests(engine);
  const { createEndpointAt, loadState, waitForState } = context;

  test("a stopping engine waits for attempts in progress, then interrupts and releases them", async () => {
    context.receiver.handlers["/soon"] = async (response) => {
      await sleep(150);
      response.end();
    };
    const soon = await context.harness.createDelivery(await createEndpointAt("/soon"));
    const hung = await context.harness.createDelivery(await createEndpointAt("/hang"), { step: 2 });
    const worker = context.harness.startEngine({ deadlineMs: 20_000 });
    await context.receiver.waitForRequests(2);
    await worker.stop(400);
    expect(await loadState(soon)).toBe("delivered");
    expect(await context.harness.loadDelivery(hung)).toMatchObject({
      state: "pending",
      step: 2,
      attempts: 1,
      lease_until: null,
      next_attempt_at: context.clock.now(),
    });
    expect((await context.harness.loadAttempts(hung))[0]).toMatchObject({ outcome: "interrupted" });
    context.receiver.handlers["/hang"] = (response) => response.end();
    context.harness.startEngine();
    await waitForState(hung, "delivered");
    expect((await context.harness.loadAttempts(hung)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    context.receiver.handlers["/hang"] = () => {};
  });

  test("the delivery of a dead worker is recovered when its lease expires, and the attempt is recorded as interrupted", async () => {
    const dead = { lease_until: context.clock.now() + LEASE_MS, lease_token: "somebody", attempts: 1 };
    const id = await context.harness.createDelivery(await createEndpointAt("/ok"), dead);
    const worker = context.harness.startEngine();
    await sleep(150);
    expect(context.receiver.requests).toEqual([]);
    await context.harness.database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).execute());
    await waitForState(id, "delivered");
    expect((await context.harness.loadAttempts(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    // A single worker releases leases without waiting for them to expire.
    const other = await context.harness.createDelivery(await createEndpointAt("/ok"), { ...dead, lease_until: context.clock.now() + LEASE_MS });
    await context.harness.database.write((tx) => releaseLeases(tx, engine, context.clock.now(), [], true));
    worker.wake();
    await waitForState(other, "delivered");
  });

  test("the delivery of a dead worker is held if the endpoint was paused meanwhile, and failed if it was deleted", async () => {
    const dead = { lease_until: context.clock.now() - 1, lease_token: "somebody", attempts: 1 };
    const paused = await createEndpointAt("/paused", { enabled: 0 });
    const [held, probe] = [await context.harness.createDelivery(paused, dead), await context.harness.createDelivery(paused, { ...dead, is_test: 1 })];
    const failed = await context.harness.createDelivery(await createEndpointAt("/deleted", { deleted_at: context.clock.now() }), dead);
    context.harness.startEngine();
    await waitForState(probe, "delivered");
    expect(await context.harness.loadDelivery(held)).toMatchObject({ state: "held", next_attempt_at: null, lease_until: null });
    expect(await context.harness.loadDelivery(failed)).toMatchObject({ state: "failed", next_attempt_at: null, done_at: context.clock.now() });
    expect(context.receiver.requests.map(({ path }) => path)).toEqual(["/paused"]);
  });

  test("a worker that lost its lease records nothing", async () => {
    const barrier = Promise.withResolvers<void>();
    context.receiver.handlers["/lost"] = async (response) => {
      await barrier.promise;
      response.writeHead(500).end();
    };
    const id = await context.harness.createDelivery(await createEndpointAt("/lost"));
    const worker = context.harness.startEngine();
    await context.receiver.waitForRequests(1);
    await context.harness.database.write((tx) =>
      tx.updateTable("deliveries").set({ lease_token: "another's", state: "delivered", next_attempt_at: null }).execute(),
    );
    barrier.resolve();
    await worker.stop();
    expect(await context.harness.loadDelivery(id)).toMatchObject({ state: "delivered", lease_token: "another's" });
    expect(await context.harness.loadAttempts(id)).toEqual([]);
    expect(context.harness.published.deliveries).toEqual([]);
  });

  test.runIf(engine === "postgres")("workers whose clocks differ by an hour do not send a delivery twice at the same time", async () => {
    const [hung, soon] = [await createEndpointAt("/hang"), await createEndpointAt("/ok")];
    const id = await context.harness.createDelivery(hung);
    context.harness.startEngine({ deadlineMs: 20_000, pollIntervalMs: 60_000 });
    await context.receiver.waitForRequests(1);
    const otherDatabases = [context.harness.testDatabase.open(), context.harness.testDatabase.open()];
    for (const [index, offsetMs] of [HOUR, -HOUR].entries()) {
      const worker = context.harness.startEngine({
        clock: createManualClock(context.clock.now() + offsetMs),
        database: otherDatabases[index]!,
        pollIntervalMs: 20,
      });
      await waitForState(await context.harness.createDelivery(soon, { next_attempt_at: context.clock.now() - 2 * HOUR }), "delivered");
      await worker.stop();
    }
    expect(context.receiver.requests.filter(({ path }) => path === "/hang")).toHaveLength(1);
    expect(await context.harness.loadDelivery(id)).toMatchObject({ attempts: 1, state: "pending" });
    expect((await context.harness.loadDelivery(id)).lease_until).not.toBeNull();
    await Promise.all(otherDatabases.map((database) => database.close()));
  });

  describe("a clock that moves by an hour", () => {
    test("forward: does not resend an attempt in progress, and signs with the new time", async () => {
      const barrier = Promise.withResolvers<void>();
      context.receiver.handlers["/slow"] = async (response) => {
        await barrier.promise;
        response.end();
      };
      const id = await context.harness.createDelivery(await createEndpointAt("/slow"));
      context.harness.startEngine({ deadlineMs: 20_000 });
      await context.receiver.waitForRequests(1);
      context.clock.advance(HOUR);
      await sleep(200);
      expect(context.receiver.requests).toHaveLength(1);
      barrier.resolve();
      await waitForState(id, "delivered");
      expect((await context.harness.loadAttempts(id))[0]!.duration).toBeLessThan(HOUR / 2);
      const other = await context.harness.createDelivery(await createEndpointAt("/ok"));
      await waitForState(other, "delivered");
      expect(Number(context.receiver.requests.at(-1)!.headers["webhook-timestamp"])).toBe(Math.floor(context.clock.now() / 1_000));
    });
    test("back: sends due deliveries at once, and releases those of a dead worker", async () => {
      const endpoint = await createEndpointAt("/ok");
      const due = await context.harness.createDelivery(endpoint);
      // PostgreSQL compares against its own clock, which the test does not change.
      const dead = await context.harness.createDelivery(endpoint, {
        lease_until: engine === "postgres" ? 1 : context.clock.now() + LEASE_MS,
        lease_token: "dead",
        attempts: 1,
      });
      const worker = context.harness.startEngine({ pollIntervalMs: 20 });
      await waitForState(due, "delivered");
      const next = await context.harness.createDelivery(endpoint, { next_attempt_at: context.clock.now() + 30 * MINUTE, step: 4 });
      const [late] = [await context.harness.createDelivery(endpoint, { next_attempt_at: context.clock.now() + 1 })];
      context.clock.advance(-HOUR);
      worker.wake();
      await waitForState(late, "delivered");
      await waitForState(dead, "delivered");
      expect(await loadState(next)).toBe("pending");
      context.clock.advance(2 * HOUR);
      await waitForState(next, "delivered");
    });
  });
});
