import type { DeliveryFilter } from "./delivery-filter.ts";

export const webhookKeys = {
  all: ["webhooks"] as const,
  endpoints: ["webhooks", "endpoints"] as const,
  /** Every delivery list of an endpoint. */
  deliveries: (endpointId: number) => ["webhooks", "deliveries", endpointId] as const,
  list: (endpointId: number, filter: DeliveryFilter) => ["webhooks", "deliveries", endpointId, filter] as const,
  delivery: (deliveryId: number) => ["webhooks", "delivery", deliveryId] as const,
};
