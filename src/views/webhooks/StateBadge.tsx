import type { ReactNode } from "react";
import type { Delivery, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { classNames } from "../../lib/class-names.ts";
import { useMembers } from "../../queries/members.ts";
import { useNow } from "./use-now.ts";
import { deliveryStatusLabel, endpointStateLabel, type DeliveryStatus, type EndpointUiState, getDeliveryStatus } from "./states.ts";

type Tone = "ok" | "danger" | "neutral" | "info";

const TONE_CLASSES: Record<Tone, string> = { ok: "text-ok", danger: "text-danger", neutral: "text-text-2", info: "text-info" };

const ENDPOINT_TONES: Record<EndpointUiState, Tone> = {
  active: "ok",
  failing: "danger",
  paused: "neutral",
  disabledGone: "danger",
  disabledFailing: "danger",
  pausedToken: "danger",
};

/** Renders a state label with a dot in its color. */
export function StateBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classNames("tabular inline-flex min-w-0 items-center gap-1.5 text-sm font-medium", TONE_CLASSES[tone])}>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-current" />
      <span className="min-w-0 truncate">{children}</span>
    </span>
  );
}

/** Shows an endpoint's state, and who paused it. */
export function EndpointStateBadge({ endpoint, state }: { endpoint: WebhookEndpoint; state: EndpointUiState }) {
  const pausedBy = useMembers().data?.find(({ id }) => id === endpoint.disabled_by_account_id)?.username;
  return <StateBadge tone={ENDPOINT_TONES[state]}>{endpointStateLabel(endpoint, state, pausedBy)}</StateBadge>;
}

const DELIVERY_TONES = { delivered: "ok", failed: "danger", held: "neutral", sending: "info" } as const;

const deliveryTone = (status: DeliveryStatus): Tone => (status.kind !== "waiting" ? DELIVERY_TONES[status.kind] : status.isRetry ? "danger" : "info");

/** Shows a delivery's state with a countdown to the next attempt. */
export function DeliveryStateBadge({ delivery }: { delivery: Delivery }) {
  const now = useNow(delivery.next_attempt_at !== null);
  const deliveryStatus = getDeliveryStatus(delivery, now);
  return <StateBadge tone={deliveryTone(deliveryStatus)}>{deliveryStatusLabel(deliveryStatus)}</StateBadge>;
}
