/** What answers and the live channel tell of webhooks goes into every place of the cache that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import { LATER_EVENT_DATA, type LaterEventType } from "../../../contract/later-events.ts";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { isBehind, withDelivery, withEndpoint, withoutEndpoint, withSummary, type Pages } from "./cache.ts";
import { fits, type DeliveryFilter } from "./filter.ts";
import { webhookKeys } from "./keys.ts";

/** A burst of deliveries asks for the counts once. */
const COUNT_AGAIN_MS = 3_000;

/** What an event tells; a shape that this client does not know changes nothing. */
export function hearWebhooks(client: QueryClient, type: LaterEventType, data: unknown): void {
  if (type === "webhook_endpoint.updated") {
    const { success, data: endpoint } = LATER_EVENT_DATA[type].safeParse(data);
    if (success) putEndpoint(client, endpoint);
  } else if (type === "webhook_endpoint.deleted") {
    const { success, data: deleted } = LATER_EVENT_DATA[type].safeParse(data);
    if (success) putEndpointDeleted(client, deleted.id);
  } else if (type === "delivery.updated") {
    const { success, data: delivery } = LATER_EVENT_DATA[type].safeParse(data);
    if (success) putDelivery(client, delivery);
  }
}

/** An endpoint was created or changed. */
export function putEndpoint(client: QueryClient, endpoint: WebhookEndpoint): void {
  patchEndpoints(client, (endpoints) => withEndpoint(endpoints, endpoint));
}

/** An endpoint was deleted, and its log with it. */
export function putEndpointDeleted(client: QueryClient, id: number): void {
  patchEndpoints(client, (endpoints) => withoutEndpoint(endpoints, id));
}

/** A delivery is new, was tried, or waits again. */
export function putDelivery(client: QueryClient, delivery: Delivery): void {
  for (const [queryKey] of client.getQueriesData({ queryKey: webhookKeys.deliveries(delivery.endpoint_id) })) {
    const filter = queryKey[3] as DeliveryFilter;
    client.setQueryData<Pages>(queryKey, (loaded) => withDelivery(loaded, delivery, fits(filter, delivery, Date.now())));
    askAgainIfAsking(client, queryKey);
  }
  const key = webhookKeys.delivery(delivery.id);
  const known = client.getQueryData<DeliveryWithAttempts>(key);
  if (known && !isBehind(delivery, known)) {
    client.setQueryData<DeliveryWithAttempts>(key, withSummary(known, delivery));
    if (delivery.attempt_count !== known.attempts.length) void client.invalidateQueries({ queryKey: key });
  }
  countAgain(client);
}

function patchEndpoints(client: QueryClient, patch: (endpoints: WebhookEndpoint[] | undefined) => WebhookEndpoint[] | undefined): void {
  client.setQueryData<WebhookEndpoint[]>(webhookKeys.endpoints, patch);
  askAgainIfAsking(client, webhookKeys.endpoints);
}

/**
 * An answer that is under way may be older than the news and would undo the patch. A first load and a further page are waited for:
 * both would be lost by starting over, and a further page is put behind the pages that stood when it was asked for.
 */
function askAgainIfAsking(client: QueryClient, queryKey: readonly unknown[]): void {
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (!query || query.state.fetchStatus === "idle") return;
  const again = () => client.invalidateQueries({ queryKey, exact: true });
  if (query.promise && (query.state.data === undefined || query.state.fetchMeta?.fetchMore)) void query.promise.catch(() => {}).then(again);
  else void again();
}

const counting = new WeakSet<QueryClient>();
/** The counts of an endpoint (chart, last delivery) follow from its deliveries. */
function countAgain(client: QueryClient): void {
  if (counting.has(client)) return;
  counting.add(client);
  setTimeout(() => {
    counting.delete(client);
    void client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true });
  }, COUNT_AGAIN_MS);
}
