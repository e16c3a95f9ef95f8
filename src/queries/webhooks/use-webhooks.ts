import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { useClient } from "../../client/client.ts";
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointBody,
  getDelivery,
  listDeliveries,
  listEndpoints,
  recoverSince,
  redeliver,
  rotateSecret,
  sendTest,
  updateEndpoint,
} from "../../api/webhooks.ts";
import { randomId } from "../../lib/random-id.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { useIdempotencyKey } from "../use-idempotency-key.ts";
import { removeEndpoint, upsertDelivery, upsertEndpoint } from "./cache-updates.ts";
import { type DeliveryFilter, toDeliveryQuery } from "./delivery-filter.ts";
import { webhookKeys } from "./webhook-keys.ts";

const PAGE_SIZE = 50;
/** Polling interval while the live channel is down. */
const POLL_INTERVAL_MS = 10_000;

const webhookQueries = {
  endpoints: () => queryOptions({ queryKey: webhookKeys.endpoints, queryFn: ({ signal, meta }) => listEndpoints(meta!.client.api, { signal }) }),
  deliveries: (endpointId: number, filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: webhookKeys.list(endpointId, filter),
      queryFn: ({ pageParam, signal, meta }) =>
        listDeliveries(meta!.client.api, endpointId, { ...toDeliveryQuery(filter, Date.now()), cursor: pageParam, limit: PAGE_SIZE }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    }),
  delivery: (deliveryId: number) =>
    queryOptions({ queryKey: webhookKeys.delivery(deliveryId), queryFn: ({ signal, meta }) => getDelivery(meta!.client.api, deliveryId, { signal }) }),
};

/** Returns the organization's endpoints, oldest first. */
export const useEndpoints = () => useQuery(webhookQueries.endpoints());

/** Resending the same form creates nothing twice; the repeated response lacks the `secret`. */
export function useCreateEndpoint() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: EndpointBody) => createEndpoint(client.api, body, idempotencyKeyFor(body)),
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: () => client.queryClient.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

export function useUpdateEndpoint() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: Partial<EndpointBody> & { id: number }) => updateEndpoint(client.api, id, changes),
    onSuccess: (endpoint) => upsertEndpoint(client, endpoint),
  });
}

export function useDeleteEndpoint() {
  const client = useClient();
  return useMutation({ mutationFn: (id: number) => deleteEndpoint(client.api, id), onSuccess: (_, id) => removeEndpoint(client, id) });
}

/** Creates a new secret, which only this response contains. */
export function useRotateSecret() {
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => rotateSecret(client.api, id, randomId()),
    onSuccess: () => client.queryClient.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

/** Sends an example event and returns its delivery. */
export function useSendTest() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, type }: { id: number; type: WebhookEventType }) => sendTest(client.api, id, type, randomId()),
    onSuccess: (delivery) => {
      client.queryClient.setQueryData(webhookQueries.delivery(delivery.id).queryKey, delivery);
      upsertDelivery(client, delivery);
    },
  });
}

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
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => redeliver(client.api, id),
    onSuccess: (delivery) => upsertDelivery(client, delivery),
    // Somebody else may have been faster, so the page refetches the current state.
    onError: (_, id) => client.queryClient.invalidateQueries({ queryKey: webhookKeys.delivery(id) }),
  });
}

/** Redelivers deliveries that failed or were held; resolves to their number. */
export function useRecover(endpointId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (since: string) => recoverSince(client.api, endpointId, since),
    onSuccess: () => client.queryClient.invalidateQueries({ queryKey: webhookKeys.all }),
  });
}
