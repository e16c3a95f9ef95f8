/** Pure changes of what is cached of webhooks. */
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";

/** The list with the endpoint in its place (oldest first), whether it is new or known. */
export function withEndpoint(endpoints: WebhookEndpoint[] | undefined, endpoint: WebhookEndpoint): WebhookEndpoint[] | undefined {
  if (!endpoints) return endpoints;
  const index = endpoints.findIndex(({ id }) => id === endpoint.id);
  return index < 0 ? [...endpoints, endpoint].toSorted((a, b) => a.id - b.id) : endpoints.with(index, endpoint);
}

export const withoutEndpoint = (endpoints: WebhookEndpoint[] | undefined, id: number) => endpoints?.filter((one) => one.id !== id);

/** An answer that was written before an event that is applied already: tries are only ever added. */
export const isBehind = (delivery: Delivery, known: Delivery): boolean => delivery.attempt_count < known.attempt_count;

/** The service's order: newest first, by the time and then by id. */
const isNewer = (one: Delivery, other: Delivery): boolean => (one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at);

interface Page {
  data: Delivery[];
  next_cursor: string | null;
}
export interface Pages<P extends Page = Page> {
  pages: P[];
  pageParams: unknown[];
}

/**
 * The pages (newest first) with the delivery as it is now. `fits`: whether their filter lets it through; one that it no longer
 * does is taken out. What lies below the last page that was loaded comes with the next one.
 */
export function withDelivery<P extends Page>(loaded: Pages<P> | undefined, delivery: Delivery, fits: boolean): Pages<P> | undefined {
  if (!loaded) return loaded;
  const at = loaded.pages.findIndex((page) => page.data.some(({ id }) => id === delivery.id));
  const page = loaded.pages[at];
  if (page) {
    const index = page.data.findIndex(({ id }) => id === delivery.id);
    if (isBehind(delivery, page.data[index]!)) return loaded;
    return withData(loaded, at, fits ? page.data.with(index, delivery) : page.data.toSpliced(index, 1));
  }
  if (!fits) return loaded;
  const target = loaded.pages.findIndex(({ data, next_cursor }) => next_cursor === null || data.length === 0 || isNewer(delivery, data.at(-1)!));
  const into = loaded.pages[target];
  if (!into) return loaded;
  const before = into.data.findIndex((one) => isNewer(delivery, one));
  return withData(loaded, target, into.data.toSpliced(before < 0 ? into.data.length : before, 0, delivery));
}

function withData<P extends Page>(loaded: Pages<P>, index: number, data: Delivery[]): Pages<P> {
  const page = loaded.pages[index]!;
  return { ...loaded, pages: loaded.pages.with(index, { ...page, data }) };
}

/** The delivery's page after its summary changed; its attempts are told by the service alone. */
export function withSummary(known: DeliveryWithAttempts | undefined, delivery: Delivery): DeliveryWithAttempts | undefined {
  return known && !isBehind(delivery, known) ? { ...known, ...delivery } : known;
}
