/** Times, spans and states of webhooks in words. */
import type { Delivery, DeliveryAttempt, WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { WEBHOOK_EVENT_TYPES } from "../../../../contract/webhook-events.ts";
import { formatPosition } from "../../../lib/duration.ts";
import { language } from "../../../lib/language.ts";
import { t } from "../../../lib/messages/webhooks.ts";
import { daysAgo, formatTime, formatShortDay } from "../../../lib/time.ts";
import type { DeliveryStatus } from "./delivery-state.ts";
import type { EndpointState } from "./endpoint-state.ts";

const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: "medium" });

/** "14:31:08", before today "17 Nov, 14:31:08". */
export function formatTimestamp(at: string, now: number = Date.now()): string {
  const time = timeFormat.format(new Date(at));
  return daysAgo(at, now) === 0 ? time : `${formatShortDay(at, now)}, ${time}`;
}

/** "13:20", before today "17 Nov, 13:20". */
export function formatSince(at: string, now: number = Date.now()): string {
  return daysAgo(at, now) === 0 ? formatTime(at) : `${formatShortDay(at, now)}, ${formatTime(at)}`;
}

/** "212 ms", "15.0 s" */
export const formatDuration = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** "4:12"; from a day on "1 d 3 h", since nobody counts seconds then. */
export function formatCountdown(secondsLeft: number): string {
  if (secondsLeft < 86_400) return formatPosition(secondsLeft);
  const hours = Math.floor(secondsLeft / 3_600);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `disabledBy`: the name of whoever paused it, where it is known. */
export function endpointStateLabel(endpoint: WebhookEndpoint, state: EndpointState, disabledBy: string | undefined): string {
  if (state === "active") return t("active");
  if (state === "failing") return t("failingSince", { when: formatSince(endpoint.failing_since ?? endpoint.created_at) });
  if (state === "paused") return disabledBy ? t("pausedBy", { name: disabledBy }) : t("paused");
  return state === "gone" ? t("switchedOffGone") : t("switchedOffFailing");
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
      return t(deliveryStatus.isRetry ? "nextTry" : "firstTry", { span: formatCountdown(deliveryStatus.seconds) });
  }
}

/** "503 in 212 ms", "timeout in 15.0 s"; null before the first try. */
export function formatLastResponse({ last_attempt: attempt }: Delivery): string | null {
  return attempt && t("answerIn", { answer: shortResponse(attempt), span: formatDuration(attempt.duration_ms) });
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

/** The HTTP status, or in a word what came instead. */
export function shortResponse({ outcome, status }: Pick<DeliveryAttempt, "outcome" | "status">): string {
  if (status !== null) return String(status);
  return Object.hasOwn(OUTCOME_LABELS, outcome) ? t(OUTCOME_LABELS[outcome as keyof typeof OUTCOME_LABELS]) : outcome;
}

/** "all four event types", or their names. */
export function formatEventTypes(types: readonly string[]): string {
  return WEBHOOK_EVENT_TYPES.every((type) => types.includes(type)) ? t("allTypes") : types.join(", ");
}
