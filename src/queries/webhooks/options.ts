import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getDelivery, listDeliveries, listEndpoints } from "../../api/webhooks.ts";
import { toDeliveryQuery, type DeliveryFilter } from "./filter.ts";
import { webhookKeys } from "./keys.ts";

const PAGE_SIZE = 50;

export const webhookQueries = {
  endpoints: () => queryOptions({ queryKey: webhookKeys.endpoints, queryFn: ({ signal }) => listEndpoints({ signal }) }),
  deliveries: (endpointId: number, filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: webhookKeys.list(endpointId, filter),
      queryFn: ({ pageParam, signal }) =>
        listDeliveries(endpointId, { ...toDeliveryQuery(filter, Date.now()), cursor: pageParam, limit: PAGE_SIZE }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    }),
  delivery: (deliveryId: number) => queryOptions({ queryKey: webhookKeys.delivery(deliveryId), queryFn: ({ signal }) => getDelivery(deliveryId, { signal }) }),
};
