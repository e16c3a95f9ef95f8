import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { DAY } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { largestTransaction } from "../../testing/largest-transaction.ts";
import { runOutsideTransaction } from "../../testing/outside-transaction.ts";
import { createSession } from "../../testing/people.ts";
import { findDeliveries, insertDelivery, registerEndpoint, recordAttempt } from "../../testing/webhooks.ts";
import { deleteOldDeliveries } from "./retention.ts";

describe.each(ENGINES)("retention of deliveries on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const count = async (table: "outbound_events" | "delivery_attempts"): Promise<number> => {
    const row = await fixtures.testApp.database.read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  };
  const endpoints = async () => (await fixtures.testApp.database.read.selectFrom("webhook_endpoints").select("id").orderBy("id").execute()).map(({ id }) => id);

  test("deletes deliveries older than 30 days with their attempts and events, except pending ones", async () => {
    const { testApp, owner } = fixtures;
    const [keptEndpoint, deletedEndpoint] = [await registerEndpoint(testApp, owner), await registerEndpoint(testApp, owner)];
    const now = testApp.clock.now();
    const old = now - 30 * DAY - 1;
    const oldDeliveries = [
      await insertDelivery(testApp, keptEndpoint, "failed", { createdAt: old }),
      await insertDelivery(testApp, keptEndpoint, "held", { createdAt: old }),
    ];
    for (const id of oldDeliveries) await recordAttempt(testApp, id, {}, {});
    const keptDeliveries = [
      await insertDelivery(testApp, keptEndpoint, "pending", { createdAt: old }),
      await insertDelivery(testApp, keptEndpoint, "delivered", { createdAt: now - 30 * DAY }),
    ];
    for (const id of keptDeliveries) await recordAttempt(testApp, id, {}, {});
    await insertDelivery(testApp, deletedEndpoint, "failed", { createdAt: old });
    const before = { events: await count("outbound_events"), attempts: await count("delivery_attempts") };

    await testApp.call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: deletedEndpoint } });
    await deleteOldDeliveries({ database: testApp.database, clock: testApp.clock });
    expect((await findDeliveries(testApp, keptEndpoint)).map(({ id }) => id)).toEqual(keptDeliveries);
    expect(await count("delivery_attempts")).toBe(before.attempts - 2);
    // Events of the fixtures' own files are recent and stay.
    expect(await count("outbound_events")).toBe(before.events - 3);
    expect(await endpoints()).toEqual([keptEndpoint, deletedEndpoint]);

    testApp.clock.advance(31 * DAY);
    await Promise.all([deleteOldDeliveries(testApp), deleteOldDeliveries(testApp)]);
    expect(await endpoints()).toEqual([keptEndpoint]);
    expect((await findDeliveries(testApp, keptEndpoint)).map(({ id }) => id)).toEqual(keptDeliveries.slice(0, 1));
    expect(await count("outbound_events")).toBe(1);
  });

  test("deletes at most 500 deliveries or events in one transaction", async () => {
    const { testApp } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const endpoint_id = await registerEndpoint(testApp, owner);
    const created_at = testApp.clock.now() - 31 * DAY;
    const { organisation_id } = await testApp.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", endpoint_id).executeTakeFirstOrThrow();
    const event = (index: number) => ({ id: `old ${index}`, organisation_id, type: "file.renamed", data: "{}", created_at });
    const delivery = (index: number) => ({
      endpoint_id,
      event_id: `old ${index}`,
      event_type: "file.renamed",
      is_test: 0 as const,
      state: "failed" as const,
      created_at,
    });
    const numbers = Array.from({ length: 1_100 }, (_, index) => index);
    await testApp.database.write(async (tx) => {
      await tx.insertInto("outbound_events").values(numbers.map(event)).execute();
      await tx.insertInto("deliveries").values(numbers.map(delivery)).execute();
    });
    const deliveries = async () => (await findDeliveries(testApp, endpoint_id)).length;
    const counts = { events: () => count("outbound_events"), deliveries };
    expect(await largestTransaction(testApp.database, counts, () => deleteOldDeliveries(testApp))).toEqual({ events: 500, deliveries: 500 });
    expect(await deliveries()).toBe(0);
  });

  test.runIf(engine === "postgres")("keeps a delivery that is being redelivered", async () => {
    const { testApp } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const old = testApp.clock.now() - 31 * DAY;
    const endpoint = await registerEndpoint(testApp, owner);
    const [redelivered, oldDelivery] = [
      await insertDelivery(testApp, endpoint, "failed", { createdAt: old }),
      await insertDelivery(testApp, endpoint, "failed", { createdAt: old }),
    ];
    await recordAttempt(testApp, redelivered, {}, { state: "failed", next_attempt_at: null });
    const otherDatabase = testApp.testDatabase.open();
    await otherDatabase.write(async (tx) => {
      await tx.updateTable("deliveries").set({ state: "pending", next_attempt_at: testApp.clock.now() }).where("id", "=", redelivered).execute();
      // The job neither waits for this transaction nor deletes the row that it has locked.
      await runOutsideTransaction(() => deleteOldDeliveries(testApp));
    });
    await otherDatabase.close();
    expect((await findDeliveries(testApp, endpoint)).map(({ id }) => id)).toEqual([redelivered]);
    expect(oldDelivery).not.toBe(redelivered);
    expect((await testApp.call(owner, webhooks.getDelivery, { params: { delivery_id: redelivered } })).response.data.attempts).toHaveLength(1);
  });
});
