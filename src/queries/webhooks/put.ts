/** What answers and the live channel tell of webhooks goes into every place of the cache that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import { LAZY_EVENT_DATA, type LazyEventType } from "../../../contract/later-events.ts";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { isOlder, withDelivery, withEndpoint, withoutEndpoint, withSummary, type Pages } from "./cache.ts";
import { matchesFilter, type DeliveryFilter } from "./filter.ts";
import { webhookKeys } from "./keys.ts";

/** A burst of deliveries asks for the counts once. */
const COUNT_REFETCH_DELAY_MS = 3_000;

/** What an event tells; a shape that this client does not know changes nothing. */
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

/** An endpoint was created or changed. */
export function upsertEndpoint(client: QueryClient, endpoint: WebhookEndpoint): void {
  patchEndpoints(client, (endpoints) => withEndpoint(endpoints, endpoint));
}

/** An endpoint was deleted, and its log with it. */
export function removeEndpoint(client: QueryClient, id: number): void {
  patchEndpoints(client, (endpoints) => withoutEndpoint(endpoints, id));
}

/** A delivery is new, was tried, or waits again. */
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
 * An answer that is under way may be older than the news and would undo the patch. A first load and a further page are waited for:
 * both would be lost by starting over, and a further page is put behind the pages that stood when it was asked for.
 */
function refetchIfFetching(client: QueryClient, queryKey: readonly unknown[]): void {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query || query.state.fetchStatus === "idle") return;
  const refetch = () => client.invalidateQueries({ queryKey, exact: true });
  if (query.promise && (query.state.data === undefined || query.state.fetchMeta?.fetchMore)) void query.promise.catch(() => {}).then(refetch);
  else void refetch();
}

const scheduledRefetches = new WeakSet<QueryClient>();
/** The counts of an endpoint (chart, last delivery) follow from its deliveries. */
function scheduleCountRefetch(client: QueryClient): void {
  if (scheduledRefetches.has(client)) return;
  scheduledRefetches.add(client);
  setTimeout(() => {
    scheduledRefetches.delete(client);
    void client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true });
  }, COUNT_REFETCH_DELAY_MS);
}
