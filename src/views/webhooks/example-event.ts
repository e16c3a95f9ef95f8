/** Builds example request bodies for each event type. */
import { WEBHOOK_EVENTS, type WebhookEventType } from "../../../contract/webhook-events.ts";

const EXAMPLE_ID = "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42";

export const isKnownType = (type: string): type is WebhookEventType => Object.hasOwn(WEBHOOK_EVENTS, type);

/** Returns an example body with its members in the order in which the service sends them. */
export const buildExampleEvent = (type: string): Record<string, unknown> => ({
  object: "event",
  id: EXAMPLE_ID,
  type,
  data: isKnownType(type) ? WEBHOOK_EVENTS[type].example : {},
});
