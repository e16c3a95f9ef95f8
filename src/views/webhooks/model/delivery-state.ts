/** Derives a delivery's current status and whether it can be redelivered. */
import type { Delivery, WebhookEndpoint } from "../../../../contract/webhook-records.ts";

export type DeliveryStatus =
  | { kind: "delivered" }
  | { kind: "failed" }
  | { kind: "held" }
  | { kind: "sending" }
  /** Seconds until the next attempt. `isRetry`: at least one attempt has failed. */
  | { kind: "waiting"; seconds: number; isRetry: boolean };

export function getDeliveryStatus(delivery: Delivery, now: number): DeliveryStatus {
  const { state } = delivery;
  if (state === "delivered" || state === "failed" || state === "held") return { kind: state };
  if (delivery.next_attempt_at === null) return { kind: "sending" };
  const seconds = Math.ceil((new Date(delivery.next_attempt_at).getTime() - now) / 1000);
  return seconds > 0 ? { kind: "waiting", seconds, isRetry: delivery.attempt_count > 0 } : { kind: "sending" };
}

export type RedeliverDisabledReason = "pending" | "paused";

/** Returns why the service would reject a redelivery now; null if it would not. */
export function redeliverDisabledReason(delivery: Delivery, endpoint: Pick<WebhookEndpoint, "enabled">): RedeliverDisabledReason | null {
  if (delivery.state === "pending") return "pending";
  return endpoint.enabled || delivery.is_test ? null : "paused";
}
