import * as z from "zod/mini";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS, RECOVERY_DAYS } from "../limits.ts";
import { withDescription, id, idInPath, dateTime, text } from "../text.ts";
import { WEBHOOK_EVENT_TYPES } from "../webhook-events.ts";
import {
  delivery,
  deliveryAttempt,
  DELIVERY_STATES,
  deliveryWithAttempts,
  newWebhookEndpoint,
  rotatedSecret,
  urlCheck,
  webhookEndpoint,
} from "../webhook-records.ts";

const endpointParams = z.object({ endpoint_id: idInPath });
const deliveryParams = z.object({ delivery_id: idInPath });
/** The service decides whether the address is allowed and returns the reason if not. */
const url = withDescription(text(2_048, 1), "Address that receives events: https and public");
/** Strings instead of an enum, so that the service's error can name the unknown type and the known ones. */
const eventTypes = withDescription(z.array(text(100, 1)), `At least one of ${WEBHOOK_EVENT_TYPES.join(", ")}`);
const description = text(500);
const projectIds = withDescription(
  z.nullable(z.array(id).check(z.minLength(1), z.maxLength(LIMITS.webhook_endpoint_projects))),
  "Sends only events of these projects; null: of every project, also of later ones",
);
/** What the delivery log needs (`WEBHOOK_LOG_SCOPES`, which only the service loads). */
const READS_LOG = ["files:read"] as const;
const EVENT_UNREADABLE = "The token lacks a scope that reading events of this type needs.";
const SUBSCRIPTION_REFUSED = "The API token lacks `webhooks`, or a scope that an event type needs, or your role does not allow it.";

/** Service document 4.3. */
export const createWebhookEndpoint = operation({
  method: "POST",
  path: "/api/v2/webhook-endpoints",
  group: "Webhooks",
  summary: "Create a webhook endpoint; its secret is shown this once",
  source: "documented",
  scope: "webhooks",
  rule: "webhook.manage",
  body: z.object({
    url,
    event_types: eventTypes,
    description: z.optional(description),
    enabled: z.optional(z.boolean()),
    project_ids: z.optional(projectIds),
  }),
  response: single("webhook_endpoint", newWebhookEndpoint),
  idempotent: true,
  errors: { 403: SUBSCRIPTION_REFUSED, 409: "The organization has as many webhook endpoints as it can have." },
});
/** By the rules of creation, which look at the address alone: nothing is looked up, and nothing is sent to it. */
export const checkWebhookUrl = operation({
  method: "POST",
  path: "/api/v2/webhook-endpoints/check-url",
  group: "Webhooks",
  summary: "Check whether an endpoint could have a URL; nothing is sent to it",
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  body: z.object({ url }),
  response: single("url_check", urlCheck),
});
/** Service document 4.4, which names the method only. */
export const listWebhookEndpoints = operation({
  method: "GET",
  path: "/api/v2/webhook-endpoints",
  group: "Webhooks",
  summary: "List the organization's webhook endpoints, oldest first",
  source: "documented",
  scope: "webhooks",
  rule: "webhook.manage",
  response: list(webhookEndpoint),
});
export const getWebhookEndpoint = operation({
  method: "GET",
  path: "/api/v2/webhook-endpoints/{endpoint_id}",
  group: "Webhooks",
  summary: "Get a webhook endpoint",
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  params: endpointParams,
  response: single("webhook_endpoint", webhookEndpoint),
});
export const updateWebhookEndpoint = operation({
  method: "PATCH",
  path: "/api/v2/webhook-endpoints/{endpoint_id}",
  group: "Webhooks",
  summary: "Change a webhook endpoint; pause it with enabled false, resume it with true",
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  params: endpointParams,
  body: z.object({
    url: z.optional(url),
    event_types: z.optional(eventTypes),
    description: z.optional(description),
    enabled: z.optional(z.boolean()),
    project_ids: z.optional(projectIds),
  }),
  response: single("webhook_endpoint", webhookEndpoint),
  errors: { 403: SUBSCRIPTION_REFUSED },
});
/** Service document 4.4, which names the method only. */
export const deleteWebhookEndpoint = operation({
  method: "DELETE",
  path: "/api/v2/webhook-endpoints/{endpoint_id}",
  group: "Webhooks",
  summary: "Delete a webhook endpoint; what was not delivered yet is given up",
  source: "documented",
  scope: "webhooks",
  rule: "webhook.manage",
  params: endpointParams,
  response: null,
});
export const rotateWebhookSecret = operation({
  method: "POST",
  path: "/api/v2/webhook-endpoints/{endpoint_id}/secret",
  group: "Webhooks",
  summary: "Make a new secret, shown this once; the old one signs too for 24 hours",
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  params: endpointParams,
  response: single("webhook_secret", rotatedSecret),
  idempotent: true,
  errors: { 409: "The secret was rotated too often in the last 24 hours." },
});
export const testWebhookEndpoint = operation({
  method: "POST",
  path: "/api/v2/webhook-endpoints/{endpoint_id}/test",
  group: "Webhooks",
  summary: "Send an example event once and return the result of the attempt",
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  cost: 10,
  waits: true,
  params: endpointParams,
  body: z.optional(z.object({ event_type: z.optional(z.enum(WEBHOOK_EVENT_TYPES)) })),
  response: single("delivery", deliveryWithAttempts),
  idempotent: true,
});
export const listDeliveries = operation({
  method: "GET",
  path: "/api/v2/webhook-endpoints/{endpoint_id}/deliveries",
  group: "Webhooks",
  summary: "List an endpoint's deliveries of the last 30 days, newest first",
  source: "extension",
  scope: "webhooks",
  furtherScopes: READS_LOG,
  rule: "webhook.manage",
  cost: 2,
  params: endpointParams,
  query: z.object({
    ...pageQuery.shape,
    event_type: z.optional(z.enum(WEBHOOK_EVENT_TYPES)),
    state: z.optional(z.enum(DELIVERY_STATES)),
    from: withDescription(z.optional(dateTime), "happened at or after"),
    to: withDescription(z.optional(dateTime), "happened before"),
  }),
  response: page(delivery),
});
export const getDelivery = operation({
  method: "GET",
  path: "/api/v2/deliveries/{delivery_id}",
  group: "Webhooks",
  summary: "Get a delivery with its body and attempts",
  source: "extension",
  scope: "webhooks",
  furtherScopes: READS_LOG,
  rule: "webhook.manage",
  params: deliveryParams,
  response: single("delivery", deliveryWithAttempts),
  errors: { 403: EVENT_UNREADABLE },
});
export const listAttempts = operation({
  method: "GET",
  path: "/api/v2/deliveries/{delivery_id}/attempts",
  group: "Webhooks",
  summary: "List a delivery's attempts, newest first",
  source: "extension",
  scope: "webhooks",
  furtherScopes: READS_LOG,
  rule: "webhook.manage",
  params: deliveryParams,
  response: list(deliveryAttempt),
  errors: { 403: EVENT_UNREADABLE },
});
export const redeliver = operation({
  method: "POST",
  path: "/api/v2/deliveries/{delivery_id}/redeliver",
  group: "Webhooks",
  summary: "Send a delivery now, with the same id; replaces a pending retry",
  source: "extension",
  scope: "webhooks",
  furtherScopes: READS_LOG,
  rule: "webhook.manage",
  params: deliveryParams,
  response: single("delivery", delivery),
  idempotent: true,
  errors: { 409: "The endpoint is paused or disabled, or an automatic attempt of the delivery is in progress." },
});
export const recoverDeliveries = operation({
  method: "POST",
  path: "/api/v2/webhook-endpoints/{endpoint_id}/recover",
  group: "Webhooks",
  summary: `Send again what failed or was held since a time, at most ${RECOVERY_DAYS} days back`,
  source: "extension",
  scope: "webhooks",
  rule: "webhook.manage",
  cost: 20,
  params: endpointParams,
  body: z.object({ since: dateTime }),
  response: single("recovery", z.looseObject({ count: z.int() })),
  errors: { 409: "The endpoint is paused or disabled." },
});
