/** Derives and formats the states of endpoints and deliveries, times and durations, and the statistics of an endpoint's last 24 hours. */
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import type { Delivery, DeliveryAttempt, DisabledReason, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { localized } from "../../lib/locale.ts";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/webhooks.ts";
import { daysAgo, formatDayTime, formatTime, formatShortDay } from "../../lib/time.ts";

/** Minimum height of a bar with events, in percent of the tallest bar. */
const MIN_BAR_PERCENT = 8;

/**
 * `failing`: enabled, but no delivery has succeeded since a failure. `disabledGone` and `disabledFailing`: disabled by the service, for the
 * `disabled_reason` that the name ends with. `pausedToken`: paused with the API token that set it up.
 */
export type EndpointUiState = "active" | "failing" | "paused" | "disabledGone" | "disabledFailing" | "pausedToken";

const STATE_BY_REASON: Record<DisabledReason, EndpointUiState> = {
  paused: "paused",
  gone: "disabledGone",
  failing: "disabledFailing",
  token_ended: "pausedToken",
};

export function getEndpointState({ enabled, failing_since, disabled_reason }: WebhookEndpoint): EndpointUiState {
  if (!enabled) return STATE_BY_REASON[disabled_reason as DisabledReason] ?? "paused";
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
  | { kind: "delivered" | "failed" | "held" | "sending" }
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

type RedeliverDisabledReason = "sending" | "paused";

/** Returns why the service would reject a redelivery now; null if it would not. One that waits for its retry can be sent now. */
export function redeliverDisabledReason(delivery: Delivery, endpoint: Pick<WebhookEndpoint, "enabled">, now: number): RedeliverDisabledReason | null {
  if (getDeliveryStatus(delivery, now).kind === "sending") return "sending";
  return endpoint.enabled || delivery.is_test ? null : "paused";
}

const timeFormat = localized(({ language, timeZone }) => new Intl.DateTimeFormat(language, { timeZone, timeStyle: "medium" }));

/** Formats a time as "14:31:08" if today, and as "17 Nov, 14:31:08" otherwise. */
export function formatTimestamp(at: string, now: number = Date.now()): string {
  const time = timeFormat().format(new Date(at));
  return daysAgo(at, now) === 0 ? time : `${formatShortDay(at, now)}, ${time}`;
}

/** Formats a time as "13:20" if today, and as "17 Nov, 13:20" otherwise. */
export function formatShortDateTime(at: string, now: number = Date.now()): string {
  return daysAgo(at, now) === 0 ? formatTime(at) : formatDayTime(at, now);
}

/** Formats a duration as "212 ms" or "15.0 s". */
export const formatDuration = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Formats a countdown as "4:12", or as "1 d 3 h" from a day on, where seconds do not matter. */
export function formatCountdown(secondsLeft: number): string {
  if (secondsLeft < 86_400) return formatPosition(secondsLeft);
  const hours = Math.floor(secondsLeft / 3_600);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Formats an endpoint's state; `pausedBy` is the name of the person who paused the endpoint, if known. */
export function endpointStateLabel(endpoint: WebhookEndpoint, state: EndpointUiState, pausedBy: string | undefined): string {
  if (state === "active") return t("active");
  if (state === "failing") return t("failingSince", { when: formatShortDateTime(endpoint.failing_since ?? endpoint.created_at) });
  if (state === "paused") return pausedBy ? t("pausedBy", { name: pausedBy }) : t("paused");
  return t(state);
}

export const deliveryStatusLabel = (status: DeliveryStatus): string =>
  status.kind === "waiting" ? t(status.isRetry ? "waitingRetry" : "waitingFirst", { span: formatCountdown(status.seconds) }) : t(status.kind);

/** Formats the last response as "503 in 212 ms" or "timeout in 15.0 s"; null before the first attempt. */
export function formatLastResponse({ last_attempt: attempt }: Delivery): string | null {
  return attempt && t("responseIn", { answer: shortResponse(attempt), span: formatDuration(attempt.duration_ms) });
}

/** Message keys of a short label, a summary and advice by outcome, for attempts without a response. */
export const OUTCOME_LABELS = {
  timeout: ["shortTimeout", "timeout", "timeoutAdvice"],
  dns: ["shortDns", "dns", "dnsAdvice"],
  refused: ["shortRefused", "refused", "refusedAdvice"],
  reset: ["shortReset", "reset", "resetAdvice"],
  tls: ["shortTls", "tls", "tlsAdvice"],
  address_not_allowed: ["shortAddress", "addressNotAllowed", "addressNotAllowedAdvice"],
  protocol: ["shortProtocol", "protocol", "protocolAdvice"],
  headers_too_large: ["shortHeaders", "headersTooLarge", "headersTooLargeAdvice"],
  interrupted: ["shortInterrupted", "interrupted", "interruptedAdvice"],
  unsigned: ["shortUnsigned", "unsigned", "unsignedAdvice"],
} as const;

export const isKnownOutcome = (outcome: string): outcome is keyof typeof OUTCOME_LABELS => Object.hasOwn(OUTCOME_LABELS, outcome);

/** Returns the HTTP status, or a short label of the outcome if there was no response. */
export function shortResponse({ outcome, status }: Pick<DeliveryAttempt, "outcome" | "status">): string {
  if (status !== null) return String(status);
  return isKnownOutcome(outcome) ? t(OUTCOME_LABELS[outcome][0]) : outcome;
}

/** Returns "All event types", or their names. */
export function formatEventTypes(types: readonly string[]): string {
  return WEBHOOK_EVENT_TYPES.every((type) => types.includes(type)) ? t("allTypes") : types.join(", ");
}
