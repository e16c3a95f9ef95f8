import * as operations from "../../contract/operations/webhooks.ts";
import type { DeliveryState } from "../../contract/webhook-records.ts";
import type { WebhookEventType } from "../../contract/webhook-events.ts";
import { call, type CallOptions } from "./http.ts";

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

export const listEndpoints = async (options?: CallOptions) => (await call(operations.listWebhookEndpoints, {}, options)).data;

export const createEndpoint = async (body: EndpointBody, idempotencyKey: string) =>
  (await call(operations.createWebhookEndpoint, { body }, { idempotencyKey })).data;

export const updateEndpoint = async (endpoint_id: number, body: Partial<EndpointBody>) =>
  (await call(operations.updateWebhookEndpoint, { params: { endpoint_id }, body })).data;

export const deleteEndpoint = (endpoint_id: number) => call(operations.deleteWebhookEndpoint, { params: { endpoint_id } });

export const rotateSecret = async (endpoint_id: number, idempotencyKey: string) =>
  (await call(operations.rotateWebhookSecret, { params: { endpoint_id } }, { idempotencyKey })).data;

export const sendTest = async (endpoint_id: number, event_type: WebhookEventType, idempotencyKey: string) =>
  (await call(operations.testWebhookEndpoint, { params: { endpoint_id }, body: { event_type } }, { idempotencyKey, timeoutMs: TEST_TIMEOUT_MS })).data;

export const listDeliveries = (endpoint_id: number, query: DeliveryQuery, options?: CallOptions) =>
  call(operations.listDeliveries, { params: { endpoint_id }, query }, options);

export const getDelivery = async (delivery_id: number, options?: CallOptions) =>
  (await call(operations.getDelivery, { params: { delivery_id } }, options)).data;

export const redeliver = async (delivery_id: number) => (await call(operations.redeliver, { params: { delivery_id } })).data;

/** Sends deliveries again that failed or were held since `since` (ISO 8601). Returns their number in `count`. */
export const recoverSince = async (endpoint_id: number, since: string) =>
  (await call(operations.recoverDeliveries, { params: { endpoint_id }, body: { since } })).data;
