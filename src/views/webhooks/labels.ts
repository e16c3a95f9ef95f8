/** Formats times, durations and states of webhooks. */
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import type { Delivery, DeliveryAttempt, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { language } from "../../lib/browser.ts";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/webhooks.ts";
import { daysAgo, formatTime, formatShortDay } from "../../lib/time.ts";
import type { DeliveryStatus, EndpointUiState } from "./states.ts";

const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: "medium" });

/** Formats a time as "14:31:08" if today, and as "17 Nov, 14:31:08" otherwise. */
export function formatTimestamp(at: string, now: number = Date.now()): string {
  const time = timeFormat.format(new Date(at));
  return daysAgo(at, now) === 0 ? time : `${formatShortDay(at, now)}, ${time}`;
}

/** Formats a time as "13:20" if today, and as "17 Nov, 13:20" otherwise. */
export function formatShortDateTime(at: string, now: number = Date.now()): string {
  return daysAgo(at, now) === 0 ? formatTime(at) : `${formatShortDay(at, now)}, ${formatTime(at)}`;
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
  return state === "disabledGone" ? t("disabledGone") : t("disabledFailing");
}

export function deliveryStatusLabel(deliveryStatus: DeliveryStatus): string {
  switch (deliveryStatus.kind) {
    case "delivered":
      return t("delivered");
    case "failed":
      return t("failed");
    case "held":
      return t("held");
    case "sending":
      return t("sending");
    case "waiting":
      return t(deliveryStatus.isRetry ? "nextRetry" : "firstAttempt", { span: formatCountdown(deliveryStatus.seconds) });
  }
}

/** Formats the last response as "503 in 212 ms" or "timeout in 15.0 s"; null before the first attempt. */
export function formatLastResponse({ last_attempt: attempt }: Delivery): string | null {
  return attempt && t("responseIn", { answer: shortResponse(attempt), span: formatDuration(attempt.duration_ms) });
}

const OUTCOME_LABELS = {
  timeout: "shortTimeout",
  dns: "shortDns",
  refused: "shortRefused",
  reset: "shortReset",
  tls: "shortTls",
  address_not_allowed: "shortAddress",
  protocol: "shortProtocol",
  headers_too_large: "shortHeaders",
  interrupted: "shortInterrupted",
  unsigned: "shortUnsigned",
} as const;

/** Returns the HTTP status, or a short label of the outcome if there was no response. */
export function shortResponse({ outcome, status }: Pick<DeliveryAttempt, "outcome" | "status">): string {
  if (status !== null) return String(status);
  return Object.hasOwn(OUTCOME_LABELS, outcome) ? t(OUTCOME_LABELS[outcome as keyof typeof OUTCOME_LABELS]) : outcome;
}

/** Returns "All event types", or their names. */
export function formatEventTypes(types: readonly string[]): string {
  return WEBHOOK_EVENT_TYPES.every((type) => types.includes(type)) ? t("allTypes") : types.join(", ");
}
