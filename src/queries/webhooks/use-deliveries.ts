import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { recoverSince, redeliver } from "../../api/webhooks.ts";
import { useConnection } from "../live/connection.ts";
import type { DeliveryFilter } from "./filter.ts";
import { webhookKeys } from "./keys.ts";
import { webhookQueries } from "./options.ts";
import { upsertDelivery } from "./put.ts";

/** Applies while the live channel is down. */
const POLL_INTERVAL_MS = 10_000;

/** Returns an endpoint's deliveries, newest first, kept current by the live channel. */
export function useDeliveries(endpointId: number, filter: DeliveryFilter) {
  const live = useConnection().state === "live";
  const query = useInfiniteQuery({ ...webhookQueries.deliveries(endpointId, filter), refetchInterval: live ? false : POLL_INTERVAL_MS });
  return { ...query, live, deliveries: query.data?.pages.flatMap((page) => page.data) };
}

/** Returns one delivery with its body and attempts. */
export function useDelivery(deliveryId: number) {
  const live = useConnection().state === "live";
  return useQuery({ ...webhookQueries.delivery(deliveryId), refetchInterval: live ? false : POLL_INTERVAL_MS });
}

export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: redeliver,
    onSuccess: (delivery) => upsertDelivery(client, delivery),
    // Somebody else may have been faster, so the page refetches the current state.
    onError: (_, id) => client.invalidateQueries({ queryKey: webhookKeys.delivery(id) }),
  });
}

/** Redelivers deliveries that failed or were held; resolves to their number. */
export function useRecover(endpointId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (since: string) => recoverSince(endpointId, since),
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.all }),
  });
}
