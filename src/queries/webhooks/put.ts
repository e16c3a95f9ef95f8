/** Applies webhook data from responses and live events to every cache that shows it. */
import type { QueryClient } from "@tanstack/react-query";
import { LAZY_EVENT_DATA, type LazyEventType } from "../../../contract/later-events.ts";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { isOlder, withDelivery, withEndpoint, withoutEndpoint, withSummary, type Pages } from "./cache.ts";
import { matchesFilter, type DeliveryFilter } from "./filter.ts";
import { webhookKeys } from "./keys.ts";

/** Delays the refetch of the counts, so that a burst of deliveries causes one request. */
const COUNT_REFETCH_DELAY_MS = 3_000;

/** Applies a live event; ignores data of an unknown shape. */
export function applyWebhookEvent(client: QueryClient, type: LazyEventType, data: unknown): void {
  if (type === "webhook_endpoint.updated") {
    const { success, data: endpoint } = LAZY_EVENT_DATA[type].safeParse(data);
    if (success) upsertEndpoint(client, endpoint);
  } else if (type === "webhook_endpoint.deleted") {
    const { success, data: deleted } = LAZY_EVENT_DATA[type].safeParse(data);
    if (success) removeEndpoint(client, deleted.id);
  } else if (type === "delivery.updated") {
    const { success, data: delivery } = LAZY_EVENT_DATA[type].safeParse(data);
    if (success) upsertDelivery(client, delivery);
  }
}

export function upsertEndpoint(client: QueryClient, endpoint: WebhookEndpoint): void {
  patchEndpoints(client, (endpoints) => withEndpoint(endpoints, endpoint));
}

export function removeEndpoint(client: QueryClient, id: number): void {
  patchEndpoints(client, (endpoints) => withoutEndpoint(endpoints, id));
}

/** Upserts a delivery that is new, was attempted or is pending again. */
export function upsertDelivery(client: QueryClient, delivery: Delivery): void {
  for (const [queryKey] of client.getQueriesData({ queryKey: webhookKeys.deliveries(delivery.endpoint_id) })) {
    const filter = queryKey[3] as DeliveryFilter;
    client.setQueryData<Pages>(queryKey, (loaded) => withDelivery(loaded, delivery, matchesFilter(filter, delivery, Date.now())));
    refetchIfFetching(client, queryKey);
  }
  const key = webhookKeys.delivery(delivery.id);
  const existing = client.getQueryData<DeliveryWithAttempts>(key);
  if (existing && !isOlder(delivery, existing)) {
    client.setQueryData<DeliveryWithAttempts>(key, withSummary(existing, delivery));
    if (delivery.attempt_count !== existing.attempts.length) void client.invalidateQueries({ queryKey: key });
  }
  scheduleCountRefetch(client);
}

function patchEndpoints(client: QueryClient, patch: (endpoints: WebhookEndpoint[] | undefined) => WebhookEndpoint[] | undefined): void {
  client.setQueryData<WebhookEndpoint[]>(webhookKeys.endpoints, patch);
  refetchIfFetching(client, webhookKeys.endpoints);
}

/**
 * Refetches after a fetch in flight, whose response may be older than the event and would undo the patch. A first load and a further page
 * finish first: restarting would lose them, and a further page is appended to the pages that existed at its request.
 */
function refetchIfFetching(client: QueryClient, queryKey: readonly unknown[]): void {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query || query.state.fetchStatus === "idle") return;
  const refetch = () => client.invalidateQueries({ queryKey, exact: true });
  if (query.promise && (query.state.data === undefined || query.state.fetchMeta?.fetchMore)) void query.promise.catch(() => {}).then(refetch);
  else void refetch();
}

const scheduledRefetches = new WeakSet<QueryClient>();
/** Refetches the counts of endpoints (chart, last delivery), which follow from their deliveries. */
function scheduleCountRefetch(client: QueryClient): void {
  if (scheduledRefetches.has(client)) return;
  scheduledRefetches.add(client);
  setTimeout(() => {
    scheduledRefetches.delete(client);
    void client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true });
  }, COUNT_REFETCH_DELAY_MS);
}
