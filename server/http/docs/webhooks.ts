/** Documents the webhook requests that the service sends, as OpenAPI 3.1 `webhooks`. */
import { WEBHOOK_EVENTS, WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../contract/webhook-events.ts";
import { WEBHOOK_EVENT_DATA } from "../../../contract/webhook-payloads.ts";
import { describeTypes, typeName } from "./events.ts";
import type { Convert, JsonSchema } from "./json-schema.ts";

const EXAMPLE_ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";

export const HEADERS: Record<string, string> = {
  "webhook-id": "The event's id: the same on every attempt, so it identifies repeated deliveries.",
  "webhook-timestamp": "When this attempt was sent, in seconds since 1970.",
  "webhook-signature":
    "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; after a rotation one for each secret that is still valid, separated by spaces.",
};
const MEMBERS = { object: { const: "event" }, id: { type: "string", description: "As in the header `webhook-id`." } };

const describeWebhook = (type: WebhookEventType): JsonSchema => ({
  post: {
    operationId: type,
    summary: `${type}: ${WEBHOOK_EVENTS[type].description}`,
    "x-source": WEBHOOK_EVENTS[type].source,
    tags: ["Webhooks"],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({ name, in: "header", required: true, schema: { type: "string" }, description })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${typeName(type)}Webhook` },
          example: { object: "event", id: EXAMPLE_ID, type, data: WEBHOOK_EVENTS[type].example },
        },
      },
    },
    responses: {
      "200": { description: "Accepted. The service document requires JSON; an empty object is enough. Any other 2xx counts as well." },
      "410": { description: "Gone: the endpoint is disabled." },
      "429": { description: "Too many; `Retry-After` is honored, also with 503." },
    },
  },
});

/** Returns the OpenAPI `webhooks` object, keyed by event type, and the schemas of the bodies. */
export function describeWebhooks(convert: Convert): { webhooks: Record<string, JsonSchema>; schemas: Record<string, JsonSchema> } {
  const data = Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, convert(WEBHOOK_EVENT_DATA[type], "output")]));
  const { schemas, any } = describeTypes(data, "Webhook", MEMBERS);
  return {
    webhooks: Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, describeWebhook(type)])),
    schemas: { ...schemas, WebhookEvent: any },
  };
}
