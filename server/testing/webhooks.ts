/** Endpoints and deliveries as tests need them, and an engine's work done by hand. */
import { randomUUID } from "node:crypto";
import * as webhooks from "../../contract/operations/webhooks.ts";
import type { DeliveryState } from "../../contract/webhook-records.ts";
import type { WebhookEventType } from "../../contract/webhook-events.ts";
import type { NewRow, Row } from "../db/schema.ts";
import type { Caller } from "./client.ts";
import type { World } from "./world.ts";

export const HOOK_URL = "https://hooks.example.com/talkback";

export interface EndpointWish {
  url?: string;
  event_types?: WebhookEventType[];
  description?: string;
  enabled?: boolean;
}

/** Registers an endpoint; it asks for changes of status unless said. */
export async function newEndpoint(world: World, by: Caller, wish: EndpointWish = {}): Promise<number> {
  const body = { url: HOOK_URL, event_types: ["file.status_changed" as const], ...wish };
  return (await world.call(by, webhooks.createWebhookEndpoint, { body })).answer.data.id;
}

interface DeliveryWish {
  type?: WebhookEventType;
  at?: number;
  test?: boolean;
  data?: object;
}

/** Writes a delivery in any state, as if its event had happened. */
export async function newDelivery(world: World, endpointId: number, state: DeliveryState, wish: DeliveryWish = {}): Promise<number> {
  const { type = "file.status_changed", at = world.clock.now(), test = false, data = { object: "file", id: 1, name: "mix.wav" } } = wish;
  return world.database.write(async (tx) => {
    const { organisation_id } = await tx.selectFrom("webhook_endpoints").select("organisation_id").where("id", "=", endpointId).executeTakeFirstOrThrow();
    const event = { id: randomUUID(), organisation_id, type, data: JSON.stringify(data), created_at: at };
    await tx.insertInto("outbound_events").values(event).execute();
    const ended = state === "delivered" || state === "failed";
    const { id } = await tx
      .insertInto("deliveries")
      .values({
        endpoint_id: endpointId,
        event_id: event.id,
        event_type: type,
        is_test: test ? 1 : 0,
        by_hand: test ? 1 : 0,
        state,
        next_attempt_at: state === "pending" ? at : null,
        created_at: at,
        done_at: ended ? at : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Writes a try with its outcome, and what follows for the delivery. */
export async function tryDelivery(
  world: Pick<World, "database" | "clock">,
  id: number,
  attempt: Partial<NewRow<"delivery_attempts">> = {},
  after: Partial<Row<"deliveries">> = { state: "delivered", next_attempt_at: null, done_at: world.clock.now() },
): Promise<void> {
  await world.database.write(async (tx) => {
    const { attempts } = await tx
      .updateTable("deliveries")
      .set((eb) => ({ attempts: eb("attempts", "+", 1), step: eb("step", "+", 1), ...after }))
      .where("id", "=", id)
      .returning("attempts")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("delivery_attempts")
      .values({
        delivery_id: id,
        number: attempts,
        started_at: world.clock.now(),
        duration: 84,
        outcome: "ok",
        status: 200,
        request_headers: '{"webhook-id":"x"}',
        response_headers: '{"content-type":"application/json"}',
        response_body: "{}",
        ...attempt,
      })
      .execute();
  });
}

export const deliveriesOf = (world: World, endpointId: number): Promise<Row<"deliveries">[]> =>
  world.database.read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpointId).orderBy("id").execute();
