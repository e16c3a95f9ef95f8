/** Tests a manual redelivery against workers that claim the same delivery at that moment: it is sent once, and the schedule goes on from there. */
import { describe, expect, test } from "vitest";
import { lockRows } from "../../db/engine-sql.ts";
import type { Database } from "../../db/database.ts";
import { RETRY_DELAYS_MS } from "../../delivery/schedule.ts";
import { HOUR } from "../../lib/clock.ts";
import { setupDeliveryTests } from "../../testing/delivery-setup.ts";
import { ENGINES } from "../../testing/engines.ts";
import { makeDueByHand } from "./deliveries.ts";

/** The step of a delivery that waits for its third attempt. */
const STEP = 2;

describe.each(ENGINES)("redelivering against workers on %s", { timeout: 60_000 }, (engine) => {
  const context = setupDeliveryTests(engine);
  const { createEndpointAt } = context;

  /** Redelivers as the service does, which locks the endpoint first. */
  const redeliver = (database: Database, id: number): Promise<"due" | "already due" | "refused"> =>
    database
      .write(async (tx) => {
        const { endpoint_id } = await tx.selectFrom("deliveries").select("endpoint_id").where("id", "=", id).executeTakeFirstOrThrow();
        await lockRows(tx.selectFrom("webhook_endpoints").select("id").where("id", "=", endpoint_id), engine, "update").execute();
        const delivery = await tx.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
        return (await makeDueByHand(tx, context.clock.now(), delivery)) ? ("due" as const) : ("already due" as const);
      })
      .catch((error: unknown) => {
        expect(String(error)).toContain("An attempt of this delivery is in progress");
        return "refused" as const;
      });
  const countRequests = (path: string) => context.receiver.requests.filter((request) => request.path === path).length;

  /** A receiver that fails once the returned function is called, and not before. */
  function failOnceReleased(paths: string[]): () => void {
    const barrier = Promise.withResolvers<void>();
    for (const path of paths)
      context.receiver.handlers[path] = async (response) => {
        await barrier.promise;
        response.writeHead(500).end();
      };
    return barrier.resolve;
  }
  const expectNextRetry = async (id: number): Promise<void> => {
    const next = context.clock.now() + RETRY_DELAYS_MS[STEP]!;
    expect(await context.harness.loadDelivery(id)).toMatchObject({ state: "pending", step: STEP + 1, next_attempt_at: next, by_hand: 0, lease_until: null });
  };

  test("a retry that is hours away is sent now, once, and the schedule goes on after its failure", async () => {
    const id = await context.harness.createDelivery(await createEndpointAt("/later"), { step: STEP, next_attempt_at: context.clock.now() + HOUR });
    const release = failOnceReleased(["/later"]);
    expect(await redeliver(context.harness.database, id)).toBe("due");
    expect(await redeliver(context.harness.database, id)).toBe("already due");
    const worker = context.harness.startEngine();
    await context.harness.waitUntil("it is sent", async () => countRequests("/later") === 1);
    expect(await redeliver(context.harness.database, id)).toBe("already due");
    release();
    await context.waitForAttempts(id, 1);
    await expectNextRetry(id);
    worker.wake();
    context.clock.advance(RETRY_DELAYS_MS[STEP]! - 1);
    await worker.stop();
    expect(countRequests("/later")).toBe(1);
  });

  test("during an automatic attempt it is refused, and the attempt counts", async () => {
    const id = await context.harness.createDelivery(await createEndpointAt("/now"), { step: STEP });
    const release = failOnceReleased(["/now"]);
    const worker = context.harness.startEngine();
    await context.harness.waitUntil("it is sent", async () => countRequests("/now") === 1);
    expect(await redeliver(context.harness.database, id)).toBe("refused");
    release();
    await context.waitForAttempts(id, 1);
    await expectNextRetry(id);
    await worker.stop();
    expect(countRequests("/now")).toBe(1);
  });

  test("two workers and two people at the same moment send each of thirty deliveries once", async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/race/${index}`);
    const release = failOnceReleased(paths);
    const ids: number[] = [];
    for (const path of paths) ids.push(await context.harness.createDelivery(await createEndpointAt(path), { step: STEP }));
    const others = [context.harness.testDatabase.open(), context.harness.testDatabase.open()];
    const workers = [
      context.harness.startEngine({ deadlineMs: 30_000, pollIntervalMs: 5 }),
      context.harness.startEngine({ database: others[0]!, deadlineMs: 30_000, pollIntervalMs: 5 }),
    ];
    const results = await Promise.all(ids.flatMap((id) => [redeliver(context.harness.database, id), redeliver(others[1]!, id)]));
    expect(results).toHaveLength(60);
    for (const path of paths) await context.harness.waitUntil(`${path} is sent`, async () => countRequests(path) >= 1);
    release();
    for (const id of ids) await context.waitForAttempts(id, 1);
    for (const worker of workers) await worker.stop();
    for (const path of paths) expect(countRequests(path), path).toBe(1);
    for (const id of ids) {
      expect(await context.harness.loadAttempts(id)).toHaveLength(1);
      await expectNextRetry(id);
    }
    for (const other of others) await other.close();
  });
});
