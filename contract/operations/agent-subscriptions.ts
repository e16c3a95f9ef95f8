import * as z from "zod/mini";
import { eventSubscription, newEventSubscription, subscriptionDelivery, subscriptionDeliveryWithAttempts } from "../agent-subscription-records.ts";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { id, idInPath, text, withDescription } from "../text.ts";
import { DELIVERY_STATES, rotatedSecret } from "../webhook-records.ts";

const params = z.object({ agent_id: idInPath });
const subscriptionParams = z.object({ agent_id: idInPath, subscription_id: idInPath });
const deliveryParams = z.object({ ...subscriptionParams.shape, delivery_id: idInPath });
const PATH = "/api/v2/agents/{agent_id}/event-subscriptions";

const common = { group: "Agent subscriptions", source: "extension", rule: "agent.subscribe" } as const;
const read = { ...common, method: "GET", scope: "account:read" } as const;
const change = { ...common, scope: "account:write", furtherScopes: ["account:read"] } as const;
/** Deliveries show messages and files. */
const CONTENT_SCOPES = ["chat:read", "files:read"] as const;
const REFUSED = "You may not manage the agent's subscriptions, or the scopes of the agent or the token do not allow reading an event type.";

const eventTypes = withDescription(z.array(text(100, 1)), "types of live events of projects, which the scopes of the agent allow reading");
const projectIds = withDescription(
  z.optional(z.nullable(z.array(id).check(z.minLength(1), z.maxLength(LIMITS.agent_subscription_projects)))),
  "projects of the agent; null: every project that it is in",
);
const url = withDescription(text(2_048, 1), "address that receives the events: https and public");

export const listEventSubscriptions = operation({
  ...read,
  path: PATH,
  summary: "List an agent's event subscriptions, oldest first; the agent sees its own",
  params,
  response: list(eventSubscription),
});
export const createEventSubscription = operation({
  ...change,
  method: "POST",
  path: PATH,
  summary: "Send events of an agent's projects to an address; signed webhooks, whose secret is shown this once",
  params,
  body: z.object({ event_types: eventTypes, project_ids: projectIds, url }),
  response: single("event_subscription", newEventSubscription),
  idempotent: true,
  errors: { 403: REFUSED, 409: "The agent has as many subscriptions as it can have." },
});
export const getEventSubscription = operation({
  ...read,
  path: `${PATH}/{subscription_id}`,
  summary: "Get an event subscription",
  params: subscriptionParams,
  response: single("event_subscription", eventSubscription),
});
export const updateEventSubscription = operation({
  ...change,
  method: "PATCH",
  path: `${PATH}/{subscription_id}`,
  summary: "Change an event subscription; `enabled` pauses and resumes it, and events of the meantime are not sent",
  params: subscriptionParams,
  body: z.object({ event_types: z.optional(eventTypes), project_ids: projectIds, url: z.optional(url), enabled: z.optional(z.boolean()) }),
  response: single("event_subscription", eventSubscription),
  errors: { 403: REFUSED },
});
export const deleteEventSubscription = operation({
  ...change,
  method: "DELETE",
  path: `${PATH}/{subscription_id}`,
  summary: "Delete an event subscription; what was not delivered yet is not sent",
  params: subscriptionParams,
  response: null,
});
export const rotateSubscriptionSecret = operation({
  ...change,
  method: "POST",
  path: `${PATH}/{subscription_id}/secret`,
  summary: "Make a new secret, shown this once; the previous one signs too for 24 hours",
  params: subscriptionParams,
  response: single("webhook_secret", rotatedSecret),
  idempotent: true,
  errors: { 409: "The secret was rotated too often within 24 hours." },
});
export const listSubscriptionDeliveries = operation({
  ...read,
  furtherScopes: CONTENT_SCOPES,
  path: `${PATH}/{subscription_id}/deliveries`,
  summary: "List a subscription's deliveries of the last 30 days, newest first",
  cost: 2,
  params: subscriptionParams,
  query: z.object({ ...pageQuery.shape, state: z.optional(z.enum(DELIVERY_STATES)) }),
  response: page(subscriptionDelivery),
});
export const getSubscriptionDelivery = operation({
  ...read,
  furtherScopes: CONTENT_SCOPES,
  path: `${PATH}/{subscription_id}/deliveries/{delivery_id}`,
  summary: "Get a delivery with its body and attempts",
  params: deliveryParams,
  response: single("delivery", subscriptionDeliveryWithAttempts),
});
export const redeliverSubscriptionDelivery = operation({
  ...change,
  furtherScopes: ["account:read", ...CONTENT_SCOPES],
  method: "POST",
  path: `${PATH}/{subscription_id}/deliveries/{delivery_id}/redeliver`,
  summary: "Send a delivery again, with the same id",
  params: deliveryParams,
  response: single("delivery", subscriptionDelivery),
  errors: {
    409: "The subscription is paused or disabled, the agent no longer sees the project or may no longer read the event, or an attempt is still to come.",
  },
});
