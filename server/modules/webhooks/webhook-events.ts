/** Stores webhook events in the transaction of the change, with one delivery for each subscribed endpoint. */
import { randomUUID } from "node:crypto";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { endedTokens } from "./ended-tokens.ts";
import { presentDelivery } from "./presenter.ts";

export type WebhookEventDeps = Pick<ModuleDeps, "database" | "events" | "clock" | "onWebhookEvent">;

const isSubscribed = ({ event_types }: Pick<Row<"webhook_endpoints">, "event_types">, type: WebhookEventType): boolean =>
  (JSON.parse(event_types) as string[]).includes(type);

/** Stores an event with its `data` as text, which every attempt sends unchanged. Made-up data of test events names no project. */
export async function insertWebhookEvent(tx: Tx, now: number, organisationId: number, type: WebhookEventType, data: object) {
  const { project_id = null } = data as { project_id?: number };
  const event = { id: randomUUID(), organisation_id: organisationId, type, data: JSON.stringify(data), created_at: now, project_id };
  await tx.insertInto("outbound_events").values(event).execute();
  return event;
}

/**
 * Stores an event and its deliveries: their first round of attempts is due at once, or they are held if the endpoint is paused or
 * disabled, or if its token has ended.
 */
export async function enqueueWebhookEvent(tx: Tx, deps: WebhookEventDeps, organisationId: number, type: WebhookEventType, data: object): Promise<void> {
  const now = deps.clock.now();
  const event = await insertWebhookEvent(tx, now, organisationId, type, data);
  await deps.onWebhookEvent(tx, type, data);
  // The share lock makes concurrent pausing, deleting or editing of an endpoint visible either fully or not at all.
  const endpoints = await lockRows(
    tx
      .selectFrom("webhook_endpoints")
      .select(["id", "enabled", "event_types", "token_id"])
      .where("organisation_id", "=", organisationId)
      .where("agent_id", "is", null)
      .where("deleted_at", "is", null)
      .orderBy("id"),
    deps.database.engine,
    "share",
  ).execute();
  const subscribed = endpoints.filter((endpoint) => isSubscribed(endpoint, type));
  if (subscribed.length === 0) return;
  const tokenIds = subscribed.flatMap(({ token_id }) => (token_id === null ? [] : [token_id]));
  const ended = tokenIds.length === 0 ? [] : await endedTokens(tx, now).where("api_tokens.id", "in", tokenIds).execute();
  const isDelivering = ({ enabled, token_id }: (typeof subscribed)[number]) => enabled === 1 && !ended.some(({ id }) => id === token_id);
  const deliveries = await tx
    .insertInto("deliveries")
    .values(
      subscribed.map((endpoint) => ({
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: type,
        is_test: 0 as const,
        state: isDelivering(endpoint) ? ("pending" as const) : ("held" as const),
        next_attempt_at: isDelivering(endpoint) ? now : null,
        created_at: now,
      })),
    )
    .returningAll()
    .execute();
  for (const delivery of deliveries)
    await deps.events.append(tx, topicOf.organisation(organisationId), "delivery.updated", presentDelivery({ delivery, event, lastAttempt: null }));
}
