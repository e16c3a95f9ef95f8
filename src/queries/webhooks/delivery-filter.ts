/** Query keys of webhooks, and the filter of an endpoint's deliveries in requests and for live events. */
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import type { Delivery, DeliveryState } from "../../../contract/webhook-records.ts";
import { endOfDay, startOfDay } from "../../lib/days.ts";

/** Time spans that end now, in milliseconds. */
export const SPANS = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 } as const;
export type Span = keyof typeof SPANS;

export interface DeliveryFilter {
  type: WebhookEventType | null;
  state: DeliveryState | null;
  /** A span back from now, or one day in the user's time zone ("2026-11-17"); null for every stored delivery. */
  time: Span | (string & {}) | null;
}

export const webhookKeys = {
  all: ["webhooks"] as const,
  endpoints: ["webhooks", "endpoints"] as const,
  /** Every delivery list of an endpoint. */
  deliveries: (endpointId: number) => ["webhooks", "deliveries", endpointId] as const,
  list: (endpointId: number, filter: DeliveryFilter) => ["webhooks", "deliveries", endpointId, filter] as const,
  urlCheck: (url: string) => ["webhooks", "url-check", url] as const,
  delivery: (deliveryId: number) => ["webhooks", "delivery", deliveryId] as const,
};

function timeRange(time: DeliveryFilter["time"], now: number): { from: number; to: number } {
  if (time !== null && Object.hasOwn(SPANS, time)) return { from: now - SPANS[time as Span], to: Infinity };
  const [from, to] = [startOfDay(time ?? ""), endOfDay(time ?? "")];
  return { from: from?.getTime() ?? 0, to: to?.getTime() ?? Infinity };
}

export function toDeliveryQuery(filter: DeliveryFilter, now: number) {
  const { from, to } = timeRange(filter.time, now);
  return {
    event_type: filter.type ?? undefined,
    state: filter.state ?? undefined,
    from: from > 0 ? new Date(from).toISOString() : undefined,
    to: to < Infinity ? new Date(to).toISOString() : undefined,
  };
}

export function matchesFilter(filter: DeliveryFilter, delivery: Delivery, now: number): boolean {
  const { from, to } = timeRange(filter.time, now);
  const createdAt = new Date(delivery.created_at).getTime();
  return (
    (filter.type === null || filter.type === delivery.event_type) &&
    (filter.state === null || filter.state === delivery.state) &&
    createdAt >= from &&
    createdAt < to
  );
}
