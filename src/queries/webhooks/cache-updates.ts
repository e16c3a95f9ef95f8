/** Applies webhook data from responses and live events to every cache that shows it. */
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import type { ClientData } from "../../client/client.ts";
import { removeById, upsertById } from "../lists.ts";
import { invalidate, scheduleRefetch } from "../query-client.ts";
import { type DeliveryFilter, matchesFilter, webhookKeys } from "./delivery-filter.ts";

/** Delays the refetch of the counts, so that a burst of deliveries causes one request. */
const COUNT_REFETCH_DELAY_MS = 3_000;

interface Page {
  data: Delivery[];
  next_cursor: string | null;
}
export interface Pages<P extends Page = Page> {
  pages: P[];
  pageParams: unknown[];
}

export function upsertEndpoint(client: ClientData, endpoint: WebhookEndpoint): void {
  // The list is sorted, oldest first.
  patchEndpoints(client, (endpoints) => upsertById(endpoint)(endpoints)?.toSorted((a, b) => a.id - b.id));
}

export function removeEndpoint(client: ClientData, id: number): void {
  patchEndpoints(client, removeById(id));
}

/** Upserts a delivery that is new, was attempted or is pending again. */
export function upsertDelivery(client: ClientData, delivery: Delivery): void {
  for (const [queryKey] of client.queryClient.getQueriesData({ queryKey: webhookKeys.deliveries(delivery.endpoint_id) })) {
    const filter = queryKey[3] as DeliveryFilter;
    client.queryClient.setQueryData<Pages>(queryKey, (loaded) => withDelivery(loaded, delivery, matchesFilter(filter, delivery, Date.now())));
    refetchIfFetching(client, queryKey);
  }
  const key = webhookKeys.delivery(delivery.id);
  const existing = client.queryClient.getQueryData<DeliveryWithAttempts>(key);
  if (existing && !isOlder(delivery, existing)) {
    client.queryClient.setQueryData<DeliveryWithAttempts>(key, withSummary(existing, delivery));
    if (delivery.attempt_count !== existing.attempts.length) void client.queryClient.invalidateQueries({ queryKey: key });
  } else if (!existing) refetchIfFetching(client, key);
  // The counts of endpoints (chart, last delivery) follow from their deliveries.
  scheduleRefetch(client, webhookKeys.endpoints, COUNT_REFETCH_DELAY_MS);
}

function patchEndpoints(client: ClientData, patch: (endpoints: WebhookEndpoint[] | undefined) => WebhookEndpoint[] | undefined): void {
  client.queryClient.setQueryData<WebhookEndpoint[]>(webhookKeys.endpoints, patch);
  refetchIfFetching(client, webhookKeys.endpoints);
}

/** Refetches if a fetch is in flight, whose response may be older than the event and would undo the patch. */
function refetchIfFetching(client: ClientData, queryKey: readonly unknown[]): void {
  if (client.queryClient.isFetching({ queryKey, exact: true }) > 0) invalidate(client, queryKey, true);
}

/** Returns whether `delivery` is older than `existing`, by the attempt count, which only increases. */
export const isOlder = (delivery: Delivery, existing: Delivery): boolean => delivery.attempt_count < existing.attempt_count;

/** Compares in the service's order: newest first, by time and then by id. */
const isNewer = (a: Delivery, b: Delivery): boolean => (a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at);

/**
 * Returns the pages (newest first) with the delivery updated. `matches`: whether the delivery passes their filter; one that no longer does is
 * removed. A delivery beyond the last loaded page comes with the next page.
 */
export function withDelivery<P extends Page>(loaded: Pages<P> | undefined, delivery: Delivery, matches: boolean): Pages<P> | undefined {
  if (!loaded) return loaded;
  const pageIndex = loaded.pages.findIndex((page) => page.data.some(({ id }) => id === delivery.id));
  const page = loaded.pages[pageIndex];
  if (page) {
    const index = page.data.findIndex(({ id }) => id === delivery.id);
    if (isOlder(delivery, page.data[index]!)) return loaded;
    return withData(loaded, pageIndex, matches ? page.data.with(index, delivery) : page.data.toSpliced(index, 1));
  }
  if (!matches) return loaded;
  const targetIndex = loaded.pages.findIndex(({ data, next_cursor }) => next_cursor === null || data.length === 0 || isNewer(delivery, data.at(-1)!));
  const targetPage = loaded.pages[targetIndex];
  if (!targetPage) return loaded;
  const before = targetPage.data.findIndex((existing) => isNewer(delivery, existing));
  return withData(loaded, targetIndex, targetPage.data.toSpliced(before < 0 ? targetPage.data.length : before, 0, delivery));
}

function withData<P extends Page>(loaded: Pages<P>, index: number, data: Delivery[]): Pages<P> {
  const page = loaded.pages[index]!;
  return { ...loaded, pages: loaded.pages.with(index, { ...page, data }) };
}

/** Applies a delivery's changed members to the cached one; its attempts stay, because neither lists nor events contain them. */
export function withSummary(existing: DeliveryWithAttempts | undefined, delivery: Delivery): DeliveryWithAttempts | undefined {
  return existing && !isOlder(delivery, existing) ? { ...existing, ...delivery } : existing;
}
