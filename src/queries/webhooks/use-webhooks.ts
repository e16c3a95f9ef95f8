import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/webhooks.ts";
import { isAllowed } from "../../../contract/policy.ts";
import { WEBHOOK_FEATURES } from "../../../contract/webhook-features.ts";
import type { WebhookEndpoint } from "../../../contract/webhook-records.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import type { BodyOf } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { randomId } from "../../lib/random-id.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { useMembers } from "../members.ts";
import { useService } from "../service.ts";
import { useOptionalSession } from "../session.ts";
import { CURSOR_PAGES, fetchData, useOperation } from "../operations.ts";
import { removeEndpoint, upsertDelivery, upsertEndpoint } from "./cache-updates.ts";
import { type DeliveryFilter, toDeliveryQuery, webhookKeys } from "./delivery-filter.ts";

const PAGE_SIZE = 50;
/** Polling interval while the live channel is down. */
const POLL_INTERVAL_MS = 10_000;
/** A test request waits for the result of the delivery attempt, which takes up to 15 s, plus the round trip. */
const TEST_TIMEOUT_MS = 25_000;

type EndpointBody = BodyOf<typeof operations.createWebhookEndpoint>;

const webhookQueries = {
  endpoints: () => queryOptions({ queryKey: webhookKeys.endpoints, queryFn: fetchData(operations.listWebhookEndpoints, {}) }),
  deliveries: (endpointId: number, filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: webhookKeys.list(endpointId, filter),
      queryFn: ({ pageParam: cursor, signal, meta }) => {
        const query = { ...toDeliveryQuery(filter, Date.now()), cursor, limit: PAGE_SIZE };
        return meta!.client.api.call(operations.listDeliveries, { params: { endpoint_id: endpointId }, query }, { signal });
      },
      ...CURSOR_PAGES,
    }),
  delivery: (deliveryId: number) =>
    queryOptions({ queryKey: webhookKeys.delivery(deliveryId), queryFn: fetchData(operations.getDelivery, { params: { delivery_id: deliveryId } }) }),
};

/** Returns whether the service accepts requests about webhooks from this page: a token may lack the scope, a session has all. */
export const useHasWebhookScope = (): boolean => useOptionalSession()?.scopes.includes(operations.listWebhookEndpoints.scope) ?? false;

/** Returns the organization's endpoints, oldest first; never requested without the scope. */
export const useEndpoints = () => useQuery({ ...webhookQueries.endpoints(), enabled: useHasWebhookScope() });

/** Returns the endpoints that this account created and that still deliver. */
export const useEndpointsCreatedBy = (accountId: number): WebhookEndpoint[] =>
  useEndpoints().data?.filter((endpoint) => endpoint.created_by_account_id === accountId && endpoint.enabled) ?? [];

/** Returns the name of the endpoint's creator if that person could no longer create it. */
export function useFormerCreator({ created_by_account_id }: WebhookEndpoint): string | null {
  const creator = useMembers().data?.find(({ id }) => id === created_by_account_id);
  return creator && (creator.disabled || !isAllowed("webhook.manage", creator.role)) ? creator.username : null;
}

/** Returns whether endpoints of the service can be limited to projects. */
export const useHasEndpointProjects = (): boolean => useService().data?.features.includes(WEBHOOK_FEATURES.projects) ?? false;

/** Asks the service whether an endpoint could have the URL; null asks nothing, and neither does a service that cannot be asked. */
export function useUrlCheck(url: string | null) {
  const canAsk = useService().data?.features.includes(WEBHOOK_FEATURES.checkUrl) ?? false;
  return useQuery({
    queryKey: webhookKeys.urlCheck(url ?? ""),
    queryFn: fetchData(operations.checkWebhookUrl, { body: { url: url ?? "" } }),
    enabled: canAsk && url !== null,
  });
}

/** The response to a repeated request lacks the `secret`. */
export const useCreateEndpoint = () =>
  useOperation(operations.createWebhookEndpoint, (body: EndpointBody) => ({ body }), {
    isIdempotent: true,
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });

/** What a service that has only the operations of the service document responded; `responseData`: the whole response, of any shape. */
export interface DocumentedEndpoint {
  url: string;
  eventTypes: string[];
  responseData: unknown;
}

/** Creates an endpoint with exactly the documented members, and remembers it on this device, because the service lists none. */
export function useCreateDocumentedEndpoint() {
  const { api, clock, deviceRecords } = useClient();
  return useMutation({
    async mutationFn({ url, event_types }: EndpointBody): Promise<DocumentedEndpoint> {
      const response = await api.call(operations.createWebhookEndpoint, { body: { url, event_types } });
      const responseData = response["responseData"] ?? null;
      deviceRecords.get().recordEndpoint({ url, eventTypes: event_types, createdAt: clock.now(), data: responseData });
      return { url, eventTypes: event_types, responseData };
    },
  });
}

export const useUpdateEndpoint = () =>
  useOperation(operations.updateWebhookEndpoint, ({ id, ...body }: Partial<EndpointBody> & { id: number }) => ({ params: { endpoint_id: id }, body }), {
    onSuccess: upsertEndpoint,
  });

export const useDeleteEndpoint = () =>
  useOperation(operations.deleteWebhookEndpoint, (endpoint_id: number) => ({ params: { endpoint_id } }), {
    onSuccess: (client, _, id) => removeEndpoint(client, id),
  });

/** Creates a new secret, which only this response contains. */
export function useRotateSecret() {
  const { api, queryClient } = useClient();
  return useMutation({
    mutationFn: (endpoint_id: number) => api.data(operations.rotateWebhookSecret, { params: { endpoint_id } }, { idempotencyKey: randomId() }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

/** Sends an example event and returns its delivery. */
export function useSendTest() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, type }: { id: number; type: WebhookEventType }) => {
      const options = { idempotencyKey: randomId(), timeoutMs: TEST_TIMEOUT_MS };
      return client.api.data(operations.testWebhookEndpoint, { params: { endpoint_id: id }, body: { event_type: type } }, options);
    },
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

/** Sends a delivery now; a pending retry is replaced. */
export function useRedeliver() {
  const client = useClient();
  return useMutation({
    mutationFn: (delivery_id: number) => client.api.data(operations.redeliver, { params: { delivery_id } }, { idempotencyKey: randomId() }),
    onSuccess: (delivery) => upsertDelivery(client, delivery),
    // Somebody else may have been faster, so the page refetches the current state.
    onError: (_, id) => client.queryClient.invalidateQueries({ queryKey: webhookKeys.delivery(id) }),
  });
}

/** Redelivers deliveries that failed or were held since `since` (ISO 8601); resolves to their number. */
export const useRecover = (endpointId: number) =>
  useOperation(operations.recoverDeliveries, (since: string) => ({ params: { endpoint_id: endpointId }, body: { since } }), {
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries({ queryKey: webhookKeys.all }),
  });
