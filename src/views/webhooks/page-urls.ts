/** Builds and parses the URLs of the webhooks pages. */
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import { DELIVERY_STATES } from "../../../contract/webhook-records.ts";
import { isDay } from "../../lib/days.ts";
import { SPANS, type DeliveryFilter } from "../../queries/webhooks/delivery-filter.ts";

export const NEW_ENDPOINT = { name: "endpoint", value: "new" } as const;

/** Returns the parameters with one of them set, or removed if `value` is null. */
export function withParam(search: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (value === null) next.delete(name);
  else next.set(name, value);
  return next;
}

export const endpointPath = (endpointId: number) => `/settings/webhooks/${endpointId}`;
export const deliveryPath = (endpointId: number, deliveryId: number) => `${endpointPath(endpointId)}/deliveries/${deliveryId}`;

/** Returns whether a path belongs to the endpoint or to one of its deliveries. */
export const isEndpointPath = (pathname: string, endpointId: number): boolean => `${pathname}/`.startsWith(`${endpointPath(endpointId)}/`);

/** Parses the delivery filter in a URL; ignores unknown values. */
export function parseFilter(search: URLSearchParams): DeliveryFilter {
  const type = search.get("type");
  const state = search.get("state");
  const time = search.get("time");
  return {
    type: WEBHOOK_EVENT_TYPES.find((known) => known === type) ?? null,
    state: DELIVERY_STATES.find((known) => known === state) ?? null,
    time: time !== null && (Object.hasOwn(SPANS, time) || isDay(time)) ? time : null,
  };
}
