/** How a delivery stands at this moment, and what may be done with it. */
import type { Delivery, WebhookEndpoint } from "../../../../contract/webhook-records.ts";

export type DeliveryStatus =
  | { kind: "delivered" }
  | { kind: "failed" }
  | { kind: "held" }
  | { kind: "sending" }
  /** Seconds until the next try. `isRetry`: at least one has failed. */
  | { kind: "waiting"; seconds: number; isRetry: boolean };

export function getDeliveryStatus(delivery: Delivery, now: number): DeliveryStatus {
  const { state } = delivery;
  if (state === "delivered" || state === "failed" || state === "held") return { kind: state };
  if (delivery.next_attempt_at === null) return { kind: "sending" };
  const seconds = Math.ceil((new Date(delivery.next_attempt_at).getTime() - now) / 1000);
  return seconds > 0 ? { kind: "waiting", seconds, isRetry: delivery.attempt_count > 0 } : { kind: "sending" };
}

export type RedeliverDisabledReason = "pending" | "paused";

/** Why the service would refuse to send it again now; null: it would not. */
export function redeliverDisabledReason(delivery: Delivery, endpoint: Pick<WebhookEndpoint, "enabled">): RedeliverDisabledReason | null {
  if (delivery.state === "pending") return "pending";
  return endpoint.enabled || delivery.is_test ? null : "paused";
}
