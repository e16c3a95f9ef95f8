/** How a delivery stands at this moment, and what may be done with it. */
import type { Delivery, WebhookEndpoint } from "../../../../contract/webhook-records.ts";

export type DeliveryStanding =
  | { is: "delivered" }
  | { is: "failed" }
  | { is: "held" }
  | { is: "sending" }
  /** Seconds until the next try. `again`: at least one has failed. */
  | { is: "waiting"; seconds: number; again: boolean };

export function standingOf(delivery: Delivery, now: number): DeliveryStanding {
  const { state } = delivery;
  if (state === "delivered" || state === "failed" || state === "held") return { is: state };
  if (delivery.next_attempt_at === null) return { is: "sending" };
  const seconds = Math.ceil((new Date(delivery.next_attempt_at).getTime() - now) / 1000);
  return seconds > 0 ? { is: "waiting", seconds, again: delivery.attempt_count > 0 } : { is: "sending" };
}

export type RedeliverHindrance = "pending" | "paused";

/** Why the service would refuse to send it again now; null: it would not. */
export function hindranceOf(delivery: Delivery, endpoint: Pick<WebhookEndpoint, "enabled">): RedeliverHindrance | null {
  if (delivery.state === "pending") return "pending";
  return endpoint.enabled || delivery.is_test ? null : "paused";
}
