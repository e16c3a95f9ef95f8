/** Presents event subscriptions and their deliveries as wire records. */
import type * as wire from "../../../contract/agent-subscription-records.ts";
import type { Row } from "../../db/schema.ts";
import { eventBody } from "../../delivery/request.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { type EndpointView, type DeliveryView, presentAttempt, presentDelivery } from "../webhooks/presenter.ts";
import { parseProjectIds, parseTypes } from "../webhooks/stored-lists.ts";

export const presentSubscription = ({ endpoint, previousSecretUntil, secretHint, lastDeliveredAt }: EndpointView): wire.EventSubscription => ({
  object: "event_subscription",
  id: endpoint.id,
  agent_id: endpoint.agent_id ?? 0,
  event_types: parseTypes(endpoint),
  project_ids: parseProjectIds(endpoint),
  url: endpoint.url,
  enabled: endpoint.enabled === 1,
  disabled_reason: endpoint.disabled_reason,
  disabled_at: isoOrNull(endpoint.disabled_at),
  failing_since: isoOrNull(endpoint.failing_since),
  previous_secret_until: isoOrNull(previousSecretUntil),
  secret_hint: secretHint,
  last_delivered_at: isoOrNull(lastDeliveredAt),
  created_by_account_id: endpoint.created_by,
  created_at: iso(endpoint.created_at),
});

export function presentSubscriptionDelivery(view: DeliveryView) {
  const { endpoint_id, ...delivery } = presentDelivery(view);
  const { type, data } = JSON.parse(view.event.data) as { type: string; data: { name?: string; title?: string } };
  return { ...delivery, event_type: type, subject: data.name ?? data.title ?? "", subscription_id: endpoint_id, project_id: view.event.project_id };
}

/** `attempts` is newest first. */
export const presentSubscriptionDeliveryWithAttempts = (view: DeliveryView, attempts: Row<"delivery_attempts">[]) => ({
  ...presentSubscriptionDelivery(view),
  body: eventBody(view.event),
  attempts: attempts.map(presentAttempt),
});
