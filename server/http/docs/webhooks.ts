/** Documents the webhook requests that the service sends, as OpenAPI 3.1 `webhooks` and as HTML. */
import { WEBHOOK_EVENTS, WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import type { JsonSchema } from "./json-schema.ts";

const EXAMPLE_ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";

const HEADERS: Record<string, string> = {
  "webhook-id": "The event's id: the same on every attempt, so it identifies repeated deliveries.",
  "webhook-timestamp": "When this attempt was sent, in seconds since 1970.",
  "webhook-signature":
    "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; after a rotation one for each secret that is still valid, separated by spaces.",
};

/** Returns the OpenAPI `webhooks` object, keyed by event type. */
export function webhookDescriptions(): Record<string, JsonSchema> {
  const describeEvent = (type: (typeof WEBHOOK_EVENT_TYPES)[number]): JsonSchema => ({
    post: {
      operationId: type,
      summary: WEBHOOK_EVENTS[type].description,
      "x-source": WEBHOOK_EVENTS[type].source,
      security: [],
      parameters: Object.entries(HEADERS).map(([name, description]) => ({ name, in: "header", required: true, schema: { type: "string" }, description })),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/WebhookEvent" },
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
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, describeEvent(type)]));
}

/** Renders the webhook section of the docs page. `escapeHtml` makes text safe in HTML. */
export function renderWebhookSection(escapeHtml: (text: string) => string): string {
  const headers = Object.entries(HEADERS).map(
    ([name, description]) => `<tr><td><code>${name}</code></td><td>${escapeHtml(description).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</td></tr>`,
  );
  const events = Object.entries(webhookDescriptions()).map(([type, { post }]) => {
    const { summary, requestBody, ...rest } = post as { summary: string; requestBody: { content: Record<string, { example: unknown }> }; "x-source": string };
    const source = rest["x-source"];
    return `<section class="operation" id="event-${escapeHtml(type)}"><h3><code>${escapeHtml(type)}</code></h3>
<p>${escapeHtml(summary)}</p>
<p class="facts"><span class="source ${escapeHtml(source)}">${escapeHtml(source)}</span></p>
<pre tabindex="0" aria-label="Example of ${escapeHtml(type)}"><code>${escapeHtml(JSON.stringify(requestBody.content["application/json"]?.example, null, 2))}</code></pre></section>`;
  });
  return `<h2 id="events">Webhook events</h2>
<p>An endpoint gets a <code>POST</code> with JSON for each event of the types it is registered for, signed as Standard Webhooks describes. Respond with 200 and JSON within 15 seconds. A delivery that fails is attempted again, ten times in all over about three days; the same event may come twice and out of order, so store its id and use its times.</p>
<table><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${headers.join("")}</tbody></table>
${events.join("")}`;
}
