import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { DAY } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { outsideTransactions } from "../../testing/outside.ts";
import { freshSession } from "../../testing/people.ts";
import { deliveriesOf, newDelivery, newEndpoint, tryDelivery } from "../../testing/webhooks.ts";
import { forgetDeliveries } from "./retention.ts";

describe.each(ENGINES)("the log's age on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const count = async (table: "outbound_events" | "delivery_attempts"): Promise<number> => {
    const row = await cast.world.database.read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  };
  const endpoints = async () => (await cast.world.database.read.selectFrom("webhook_endpoints").select("id").orderBy("id").execute()).map(({ id }) => id);

  test("what is older than 30 days goes with its attempts and its event, but nothing that is still to be sent", async () => {
    const { world, owner } = cast;
    const [kept, gone] = [await newEndpoint(world, owner), await newEndpoint(world, owner)];
    const now = world.clock.now();
    const old = now - 30 * DAY - 1;
    const dead = [await newDelivery(world, kept, "failed", { at: old }), await newDelivery(world, kept, "held", { at: old })];
    for (const id of dead) await tryDelivery(world, id, {}, {});
    const stays = [await newDelivery(world, kept, "pending", { at: old }), await newDelivery(world, kept, "delivered", { at: now - 30 * DAY })];
    for (const id of stays) await tryDelivery(world, id, {}, {});
    await newDelivery(world, gone, "failed", { at: old });
    const before = { events: await count("outbound_events"), attempts: await count("delivery_attempts") };

    await world.call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: gone } });
    await forgetDeliveries({ database: world.database, clock: world.clock });
    expect((await deliveriesOf(world, kept)).map(({ id }) => id)).toEqual(stays);
    expect(await count("delivery_attempts")).toBe(before.attempts - 2);
    // Those of the files that the world was made with are of today.
    expect(await count("outbound_events")).toBe(before.events - 3);
    expect(await endpoints()).toEqual([kept, gone]);

    world.clock.pass(31 * DAY);
    await Promise.all([forgetDeliveries(world), forgetDeliveries(world)]);
    expect(await endpoints()).toEqual([kept]);
    expect((await deliveriesOf(world, kept)).map(({ id }) => id)).toEqual(stays.slice(0, 1));
    expect(await count("outbound_events")).toBe(1);
  });

  test.runIf(engine === "postgres")("what is being sent again at this moment stays", async () => {
    const { world } = cast;
    const owner = await freshSession(world, cast.owner.id, "owner");
    const old = world.clock.now() - 31 * DAY;
    const endpoint = await newEndpoint(world, owner);
    const [again, gone] = [await newDelivery(world, endpoint, "failed", { at: old }), await newDelivery(world, endpoint, "failed", { at: old })];
    await tryDelivery(world, again, {}, { state: "failed", next_attempt_at: null });
    const other = world.data.open();
    await other.write(async (tx) => {
      await tx.updateTable("deliveries").set({ state: "pending", next_attempt_at: world.clock.now() }).where("id", "=", again).execute();
      // It neither waits for us nor takes what we hold.
      await outsideTransactions(() => forgetDeliveries(world));
    });
    await other.close();
    expect((await deliveriesOf(world, endpoint)).map(({ id }) => id)).toEqual([again]);
    expect(gone).not.toBe(again);
    expect((await world.call(owner, webhooks.getDelivery, { params: { delivery_id: again } })).answer.data.attempts).toHaveLength(1);
  });
});
