/** Pure updates of cached webhook data. */
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";

/** Returns the list (oldest first) with the endpoint added or replaced. */
export function withEndpoint(endpoints: WebhookEndpoint[] | undefined, endpoint: WebhookEndpoint): WebhookEndpoint[] | undefined {
  if (!endpoints) return endpoints;
  const index = endpoints.findIndex(({ id }) => id === endpoint.id);
  return index < 0 ? [...endpoints, endpoint].toSorted((a, b) => a.id - b.id) : endpoints.with(index, endpoint);
}

export const withoutEndpoint = (endpoints: WebhookEndpoint[] | undefined, id: number) => endpoints?.filter((endpoint) => endpoint.id !== id);

/** Returns true for a response that is older than an applied event, since attempts are only ever added. */
export const isOlder = (delivery: Delivery, existing: Delivery): boolean => delivery.attempt_count < existing.attempt_count;

/** Compares in the service's order: newest first, by time and then by id. */
const isNewer = (a: Delivery, b: Delivery): boolean => (a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at);

interface Page {
  data: Delivery[];
  next_cursor: string | null;
}
export interface Pages<P extends Page = Page> {
  pages: P[];
  pageParams: unknown[];
}

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

/** Applies a changed summary to a cached delivery; its attempts come only from the service. */
export function withSummary(existing: DeliveryWithAttempts | undefined, delivery: Delivery): DeliveryWithAttempts | undefined {
  return existing && !isOlder(delivery, existing) ? { ...existing, ...delivery } : existing;
}
