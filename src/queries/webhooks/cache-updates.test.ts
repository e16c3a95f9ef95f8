import { QueryObserver, InfiniteQueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import type { LiveEvent } from "../../../contract/events.ts";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import type { Client } from "../../client/client.ts";
import { handleEvent, type LiveContext } from "../../sync/live/event-handlers.ts";
import { type Pages, upsertDelivery } from "./cache-updates.ts";
import type { DeliveryFilter } from "./delivery-filter.ts";
import { webhookKeys } from "./delivery-filter.ts";

const ALL: DeliveryFilter = { type: null, state: null, time: null };
const FAILED: DeliveryFilter = { ...ALL, state: "failed" };
const delivery = (id: number, changes: Partial<Delivery> = {}): Delivery => ({
  id,
  endpoint_id: 1,
  event_id: "e",
  event_type: "file.uploaded",
  subject: "mix.wav",
  is_test: false,
  state: "pending",
  attempt_count: 0,
  next_attempt_at: null,
  created_at: "2026-11-21T12:00:00.000Z",
  done_at: null,
  last_attempt: null,
  ...changes,
});
const endpoint = (id: number, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id,
  url: "https://a.example/",
  event_types: ["file.uploaded"],
  description: "",
  enabled: true,
  created_at: "2026-11-21T12:00:00.000Z",
  created_by_account_id: 1,
  failing_since: null,
  disabled_reason: null,
  disabled_at: null,
  disabled_by_account_id: null,
  previous_secret_until: null,
  secret_hint: "f3Q=",
  last_delivered_at: null,
  held_count: 0,
  recent: [],
  ...changes,
});

let client: Client;
beforeEach(() => {
  vi.useFakeTimers();
  client = createClient();
});
afterEach(() => {
  client.queryClient.clear();
  vi.useRealTimers();
});

const load = (filter: DeliveryFilter, ...data: Delivery[]) =>
  client.queryClient.setQueryData<Pages>(webhookKeys.list(1, filter), { pages: [{ data, next_cursor: null }], pageParams: [undefined] });
const shown = (filter: DeliveryFilter) =>
  client.queryClient.getQueryData<Pages>(webhookKeys.list(1, filter))?.pages.flatMap((page) => page.data.map(({ id }) => id));
async function emit(type: string, data: unknown): Promise<void> {
  handleEvent({ client, accountId: 1, isViewingChat: () => false } satisfies LiveContext, {
    topic: "organisation:1",
    seq: 1,
    type,
    time: "",
    data,
  } as LiveEvent);
  await vi.dynamicImportSettled();
}

test("a delivery event adds the delivery to every list whose filter matches, and removes it from the others", async () => {
  load(ALL, delivery(1));
  load(FAILED);
  await emit("delivery.updated", delivery(2, { state: "failed", attempt_count: 10 }));
  expect([shown(ALL), shown(FAILED)]).toEqual([[2, 1], [2]]);
  await emit("delivery.updated", delivery(2, { state: "delivered", attempt_count: 11 }));
  expect([shown(ALL), shown(FAILED)]).toEqual([[2, 1], []]);
});

test("a delivery of another endpoint is not added", async () => {
  load(ALL, delivery(1));
  await emit("delivery.updated", delivery(2, { endpoint_id: 2 }));
  expect(shown(ALL)).toEqual([1]);
});

test("an open delivery shows its new state immediately and refetches its attempts", async () => {
  const key = webhookKeys.delivery(1);
  client.queryClient.setQueryData<DeliveryWithAttempts>(key, { ...delivery(1), body: "{}", attempts: [] });
  await emit("delivery.updated", delivery(1, { state: "delivered", attempt_count: 1 }));
  expect(client.queryClient.getQueryData<DeliveryWithAttempts>(key)).toMatchObject({ state: "delivered", body: "{}" });
  expect(client.queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

test("an event during the first load of an open delivery, whose response is older, refetches the delivery", async () => {
  const responses = [delivery(1), delivery(1, { state: "delivered", attempt_count: 1 })].map((data) => ({ ...data, body: "{}", attempts: [] }));
  const resolvers: (() => void)[] = [];
  const queryFn = () => new Promise<DeliveryWithAttempts>((resolve) => resolvers.push(() => resolve(responses[resolvers.length - 1]!)));
  const stop = new QueryObserver(client.queryClient, { queryKey: webhookKeys.delivery(1), queryFn, staleTime: Infinity }).subscribe(() => {});
  await emit("delivery.updated", responses[1]!);
  resolvers[0]!();
  await vi.advanceTimersByTimeAsync(0);
  expect(resolvers).toHaveLength(2);
  resolvers[1]!();
  await vi.advanceTimersByTimeAsync(0);
  expect(client.queryClient.getQueryData<DeliveryWithAttempts>(webhookKeys.delivery(1))).toMatchObject({ state: "delivered" });
  stop();
});

test("endpoint events add, update and remove endpoints", async () => {
  client.queryClient.setQueryData(webhookKeys.endpoints, [endpoint(1)]);
  await emit("webhook_endpoint.updated", endpoint(2));
  await emit("webhook_endpoint.updated", endpoint(1, { enabled: false, disabled_reason: "gone" }));
  expect(client.queryClient.getQueryData<WebhookEndpoint[]>(webhookKeys.endpoints)).toEqual([
    endpoint(1, { enabled: false, disabled_reason: "gone" }),
    endpoint(2),
  ]);
  await emit("webhook_endpoint.deleted", { id: 1 });
  expect(client.queryClient.getQueryData<WebhookEndpoint[]>(webhookKeys.endpoints)).toEqual([endpoint(2)]);
});

test("a burst of deliveries refetches the counts once", async () => {
  const queryFn = vi.fn(() => Promise.resolve([endpoint(1)]));
  const stop = new QueryObserver(client.queryClient, { queryKey: webhookKeys.endpoints, queryFn, staleTime: Infinity }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  for (let id = 1; id <= 200; id += 1) upsertDelivery(client, delivery(id));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
});

test("a delivery event while a further page loads is not lost", async () => {
  const pages = [
    { data: [delivery(9)], next_cursor: "more" },
    { data: [delivery(3)], next_cursor: null },
  ];
  let release = () => {};
  let requestCount = 0;
  const queryFn = vi.fn(async ({ pageParam }: { pageParam: string | undefined }) => {
    requestCount += 1;
    if (pageParam && requestCount === 2) await new Promise<void>((resolve) => (release = resolve));
    return pageParam ? pages[1]! : requestCount > 2 ? { ...pages[0]!, data: [delivery(10), delivery(9)] } : pages[0]!;
  });
  const observer = new InfiniteQueryObserver(client.queryClient, {
    queryKey: webhookKeys.list(1, ALL),
    queryFn,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: Infinity,
  });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const further = observer.fetchNextPage();
  await vi.advanceTimersByTimeAsync(0);
  await emit("delivery.updated", delivery(10));
  expect(shown(ALL)).toEqual([10, 9]);
  release();
  await further;
  await vi.advanceTimersByTimeAsync(10);
  expect(shown(ALL)).toEqual([10, 9, 3]);
  stop();
});
