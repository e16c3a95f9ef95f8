/** Wire records of the event subscriptions of agents. All of them are extensions. */
import * as z from "zod/mini";
import { type EventType, liveEvent } from "./events.ts";
import { id, timestamp } from "./text.ts";
import { delivery, deliveryWithAttempts } from "./webhook-records.ts";

/** Types of live events that a subscription can have: those of projects. */
export const AGENT_EVENT_TYPES = [
  "message.created",
  "message.updated",
  "messages.imported",
  "comment.created",
  "comment.updated",
  "file.created",
  "file.updated",
  "file.deleted",
  "attachment.updated",
  "task.created",
  "task.updated",
  "task.deleted",
  "playlist.created",
  "playlist.updated",
  "playlist.deleted",
  "metadata.updated",
  "metadata.imported",
  "project.updated",
  "project.member_added",
  "project.member_removed",
] as const satisfies readonly EventType[];
export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

/** The type of the webhook that carries an event to an agent. */
export const AGENT_EVENT = "agent.event";
/** The body of such a webhook: `data` is the event as the live channel sends it. `id` is the header `webhook-id`, the same in every attempt. */
export const agentEvent = z.looseObject({ object: z.literal("event"), id: z.string(), type: z.literal(AGENT_EVENT), data: liveEvent });

export const eventSubscription = z.looseObject({
  object: z.literal("event_subscription"),
  id,
  agent_id: id,
  event_types: z.array(z.string()),
  /** null: every project that the agent is in. */
  project_ids: z.nullable(z.array(id)),
  url: z.string(),
  enabled: z.boolean(),
  /** Why it is disabled, as of webhook endpoints: `paused`, `gone`, `failing`, or `token_ended`: the token that set it up has ended. */
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(timestamp),
  failing_since: z.nullable(timestamp),
  previous_secret_until: z.nullable(timestamp),
  /** Last characters of the secret. */
  secret_hint: z.string(),
  last_delivered_at: z.nullable(timestamp),
  created_by_account_id: id,
  created_at: timestamp,
});
export type EventSubscription = z.infer<typeof eventSubscription>;
/** `secret` (`whsec_…`) is shown only once: a repeated request with the same `Idempotency-Key` returns no `secret`. */
export const newEventSubscription = z.looseObject({ ...eventSubscription.shape, secret: z.optional(z.string()) });

/** `event_type` is the type of the event inside; `withheld` once its text was edited or deleted. */
export const subscriptionDelivery = z.looseObject({ ...z.omit(delivery, { endpoint_id: true }).shape, subscription_id: id, project_id: z.nullable(id) });
export const subscriptionDeliveryWithAttempts = z.looseObject({
  ...z.omit(deliveryWithAttempts, { endpoint_id: true }).shape,
  subscription_id: id,
  project_id: z.nullable(id),
});
export type SubscriptionDelivery = z.infer<typeof subscriptionDelivery>;
