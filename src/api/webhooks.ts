import * as operations from "../../contract/operations/webhooks.ts";
import type { DeliveryState } from "../../contract/webhook-records.ts";
import type { WebhookEventType } from "../../contract/webhook-events.ts";
import type { Api, CallOptions } from "./http.ts";

/** A test request waits for the result of the delivery attempt, which takes up to 15 s, plus the round trip. */
const TEST_TIMEOUT_MS = 25_000;

/** Body of the request that creates an endpoint; an update sends only the changed members. */
export interface EndpointBody {
  url: string;
  event_types: string[];
  description?: string;
  enabled?: boolean;
}
export interface DeliveryQuery {
  event_type?: WebhookEventType | undefined;
  state?: DeliveryState | undefined;
  /** ISO 8601 bounds: happened at or after `from` and before `to`. */
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}

export const listEndpoints = async (api: Api, options?: CallOptions) => (await api.call(operations.listWebhookEndpoints, {}, options)).data;

export const createEndpoint = async (api: Api, body: EndpointBody, idempotencyKey: string) =>
  (await api.call(operations.createWebhookEndpoint, { body }, { idempotencyKey })).data;

export const updateEndpoint = async (api: Api, endpoint_id: number, body: Partial<EndpointBody>) =>
  (await api.call(operations.updateWebhookEndpoint, { params: { endpoint_id }, body })).data;

export const deleteEndpoint = (api: Api, endpoint_id: number) => api.call(operations.deleteWebhookEndpoint, { params: { endpoint_id } });

export const rotateSecret = async (api: Api, endpoint_id: number, idempotencyKey: string) =>
  (await api.call(operations.rotateWebhookSecret, { params: { endpoint_id } }, { idempotencyKey })).data;

export const sendTest = async (api: Api, endpoint_id: number, event_type: WebhookEventType, idempotencyKey: string) =>
  (await api.call(operations.testWebhookEndpoint, { params: { endpoint_id }, body: { event_type } }, { idempotencyKey, timeoutMs: TEST_TIMEOUT_MS })).data;

export const listDeliveries = (api: Api, endpoint_id: number, query: DeliveryQuery, options?: CallOptions) =>
  api.call(operations.listDeliveries, { params: { endpoint_id }, query }, options);

export const getDelivery = async (api: Api, delivery_id: number, options?: CallOptions) =>
  (await api.call(operations.getDelivery, { params: { delivery_id } }, options)).data;

export const redeliver = async (api: Api, delivery_id: number) => (await api.call(operations.redeliver, { params: { delivery_id } })).data;

/** Sends deliveries again that failed or were held since `since` (ISO 8601). Returns their number in `count`. */
export const recoverSince = async (api: Api, endpoint_id: number, since: string) =>
  (await api.call(operations.recoverDeliveries, { params: { endpoint_id }, body: { since } })).data;
