/** Derives the states of endpoints and deliveries, and the statistics of an endpoint's last 24 hours. */
import type { Delivery, WebhookEndpoint } from "../../../contract/webhook-records.ts";

/** Minimum height of a bar with events, in percent of the tallest bar. */
const MIN_BAR_PERCENT = 8;

/**
 * `failing`: enabled, but no delivery has succeeded since a failure. `disabledGone` and `disabledFailing`: disabled by the service, for the
 * `disabled_reason` that the name ends with.
 */
export type EndpointUiState = "active" | "failing" | "paused" | "disabledGone" | "disabledFailing";

export function getEndpointState({ enabled, failing_since, disabled_reason }: WebhookEndpoint): EndpointUiState {
  if (!enabled) return disabled_reason === "gone" ? "disabledGone" : disabled_reason === "failing" ? "disabledFailing" : "paused";
  return failing_since === null ? "active" : "failing";
}

interface RecentStatistics {
  totalCount: number;
  deliveredCount: number;
  failedCount: number;
  waitingCount: number;
  /** Percentage delivered, rounded down so that it is 100 only if all were delivered; null if there were no events. */
  deliveredPercent: number | null;
}

export function computeStatistics(recent: WebhookEndpoint["recent"]): RecentStatistics {
  const sum = (member: "delivered" | "failed" | "waiting") => recent.reduce((count, hour) => count + hour[member], 0);
  const [deliveredCount, failedCount, waitingCount] = [sum("delivered"), sum("failed"), sum("waiting")];
  const totalCount = deliveredCount + failedCount + waitingCount;
  const deliveredPercent = totalCount === 0 ? null : Math.floor((deliveredCount / totalCount) * 100);
  return { totalCount, deliveredCount, failedCount, waitingCount, deliveredPercent };
}

interface Bar {
  hour: string;
  deliveredPercent: number;
  failedPercent: number;
  waitingPercent: number;
}

/** Returns stacked bar heights in percent of the tallest hour, with a minimum so that one event among thousands stays visible. */
export function computeBars(recent: WebhookEndpoint["recent"]): Bar[] {
  const highestCount = Math.max(1, ...recent.map((hour) => hour.delivered + hour.failed + hour.waiting));
  return recent.map(({ hour, delivered, failed, waiting }) => {
    const count = delivered + failed + waiting;
    const percentPerDelivery = count === 0 ? 0 : Math.max(MIN_BAR_PERCENT, (count / highestCount) * 100) / count;
    return {
      hour,
      deliveredPercent: delivered * percentPerDelivery,
      failedPercent: failed * percentPerDelivery,
      waitingPercent: waiting * percentPerDelivery,
    };
  });
}

export type DeliveryStatus =
  | { kind: "delivered" }
  | { kind: "failed" }
  | { kind: "held" }
  | { kind: "sending" }
  /** Seconds until the next attempt. `isRetry`: at least one attempt has failed. */
  | { kind: "waiting"; seconds: number; isRetry: boolean };

/** Returns a delivery's current status. */
export function getDeliveryStatus(delivery: Delivery, now: number): DeliveryStatus {
  const { state } = delivery;
  if (state === "delivered" || state === "failed" || state === "held") return { kind: state };
  if (delivery.next_attempt_at === null) return { kind: "sending" };
  const seconds = Math.ceil((new Date(delivery.next_attempt_at).getTime() - now) / 1000);
  return seconds > 0 ? { kind: "waiting", seconds, isRetry: delivery.attempt_count > 0 } : { kind: "sending" };
}

type RedeliverDisabledReason = "pending" | "paused";

/** Returns why the service would reject a redelivery now; null if it would not. */
export function redeliverDisabledReason(delivery: Delivery, endpoint: Pick<WebhookEndpoint, "enabled">): RedeliverDisabledReason | null {
  if (delivery.state === "pending") return "pending";
  return endpoint.enabled || delivery.is_test ? null : "paused";
}
