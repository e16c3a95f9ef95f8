/** Creates event subscriptions of agents and their deliveries for tests. */
import { randomUUID } from "node:crypto";
import { AGENT_EVENT } from "../../contract/agent-subscription-records.ts";
import type { Tx } from "../db/schema.ts";
import { WEBHOOK_URL } from "./webhooks.ts";

interface SubscriptionInput {
  agent: number;
  createdBy: number;
  now: number;
}

/** Inserts a subscription of an agent for `message.created`. */
export async function insertSubscription(tx: Tx, { agent, createdBy, now }: SubscriptionInput): Promise<number> {
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", createdBy).executeTakeFirstOrThrow();
  const row = { organisation_id, agent_id: agent, url: WEBHOOK_URL, event_types: JSON.stringify(["message.created"]), description: "", secret: "x" };
  const { id } = await tx
    .insertInto("webhook_endpoints")
    .values({ ...row, enabled: 1, created_by: createdBy, created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts a delivery that has failed, with a message of the project. */
export async function insertAgentDelivery(tx: Tx, subscription: number, project: number, now: number, body = "Hello"): Promise<number> {
  const { organisation_id } = await tx.selectFrom("webhook_endpoints").select("organisation_id").where("id", "=", subscription).executeTakeFirstOrThrow();
  const data = { topic: `project:${project}`, seq: 1, type: "message.created", time: new Date(now).toISOString(), data: { id: 1, body } };
  const event = { id: randomUUID(), organisation_id, project_id: project, type: AGENT_EVENT, data: JSON.stringify(data), created_at: now };
  await tx.insertInto("outbound_events").values(event).execute();
  const delivery = { endpoint_id: subscription, event_id: event.id, event_type: data.type, is_test: 0 as const, state: "failed" as const };
  return (
    await tx
      .insertInto("deliveries")
      .values({ ...delivery, created_at: now, done_at: now })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
}
