/** Creates test endpoints and deliveries, and records attempts without an engine. */
import { randomUUID } from "node:crypto";
import * as webhooks from "../../contract/operations/webhooks.ts";
import type { WebhookEventType } from "../../contract/webhook-events.ts";
import type { DeliveryState } from "../../contract/webhook-records.ts";
import type { NewRow, Row } from "../db/schema.ts";
import type { Caller } from "./client.ts";
import type { TestApp } from "./test-app.ts";

export const WEBHOOK_URL = "https://hooks.example.com/talkback";

/** Members of the registered endpoint that differ from the default. */
export interface EndpointOverrides {
  url?: string;
  event_types?: WebhookEventType[];
  description?: string;
  enabled?: boolean;
  project_ids?: number[] | null;
}

/** Registers an endpoint, by default for `file.status_changed`. */
export async function registerEndpoint(testApp: TestApp, caller: Caller, overrides: EndpointOverrides = {}): Promise<number> {
  const body = { url: WEBHOOK_URL, event_types: ["file.status_changed" as const], ...overrides };
  return (await testApp.call(caller, webhooks.createWebhookEndpoint, { body })).response.data.id;
}

interface DeliveryInput {
  type?: WebhookEventType;
  createdAt?: number;
  isTest?: boolean;
  data?: object;
}

/** Inserts a delivery in any state, together with its event. */
export async function insertDelivery(testApp: TestApp, endpointId: number, state: DeliveryState, input: DeliveryInput = {}): Promise<number> {
  const { type = "file.status_changed", createdAt = testApp.clock.now(), isTest = false, data = { object: "file", id: 1, name: "mix.wav" } } = input;
  return testApp.database.write(async (tx) => {
    const { organisation_id } = await tx.selectFrom("webhook_endpoints").select("organisation_id").where("id", "=", endpointId).executeTakeFirstOrThrow();
    const event = { id: randomUUID(), organisation_id, type, data: JSON.stringify(data), created_at: createdAt };
    await tx.insertInto("outbound_events").values(event).execute();
    const isDone = state === "delivered" || state === "failed";
    const { id } = await tx
      .insertInto("deliveries")
      .values({
        endpoint_id: endpointId,
        event_id: event.id,
        event_type: type,
        is_test: isTest ? 1 : 0,
        by_hand: isTest ? 1 : 0,
        state,
        next_attempt_at: state === "pending" ? createdAt : null,
        created_at: createdAt,
        done_at: isDone ? createdAt : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Inserts an attempt with its outcome and applies its effect to the delivery. */
export async function recordAttempt(
  testApp: Pick<TestApp, "database" | "clock">,
  id: number,
  attempt: Partial<NewRow<"delivery_attempts">> = {},
  deliveryUpdate: Partial<Row<"deliveries">> = { state: "delivered", next_attempt_at: null, done_at: testApp.clock.now() },
): Promise<void> {
  await testApp.database.write(async (tx) => {
    const { attempts } = await tx
      .updateTable("deliveries")
      .set((eb) => ({ attempts: eb("attempts", "+", 1), step: eb("step", "+", 1), ...deliveryUpdate }))
      .where("id", "=", id)
      .returning("attempts")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("delivery_attempts")
      .values({
        delivery_id: id,
        number: attempts,
        started_at: testApp.clock.now(),
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

export const findDeliveries = (testApp: TestApp, endpointId: number): Promise<Row<"deliveries">[]> =>
  testApp.database.read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpointId).orderBy("id").execute();
