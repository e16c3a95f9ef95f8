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
  total: number;
  delivered: number;
  failed: number;
  waiting: number;
  /** Percentage delivered, rounded down so that it is 100 only if all were delivered; null if there were no events. */
  percent: number | null;
}

export function computeStatistics(recent: WebhookEndpoint["recent"]): RecentStatistics {
  const sum = (member: "delivered" | "failed" | "waiting") => recent.reduce((count, hour) => count + hour[member], 0);
  const [delivered, failed, waiting] = [sum("delivered"), sum("failed"), sum("waiting")];
  const total = delivered + failed + waiting;
  return { total, delivered, failed, waiting, percent: total === 0 ? null : Math.floor((delivered / total) * 100) };
}

/** Returns stacked bar heights in percent of the tallest hour, with a minimum so that one event among thousands stays visible. */
export function computeBars(recent: WebhookEndpoint["recent"]): { hour: string; delivered: number; failed: number; waiting: number }[] {
  const tallest = Math.max(1, ...recent.map((hour) => hour.delivered + hour.failed + hour.waiting));
  return recent.map(({ hour, delivered, failed, waiting }) => {
    const total = delivered + failed + waiting;
    const scale = total === 0 ? 0 : Math.max(MIN_BAR_PERCENT, (total / tallest) * 100) / total;
    return { hour, delivered: delivered * scale, failed: failed * scale, waiting: waiting * scale };
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
