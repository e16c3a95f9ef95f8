import { describe, expect, test } from "vitest";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { createClient } from "../../app/create-client.ts";
import { removeEndpoint, upsertEndpoint, withDelivery, withSummary } from "./cache-updates.ts";
import { webhookKeys } from "./delivery-filter.ts";

const endpoint = (id: number, url = "https://a.example/") => ({ id, url }) as WebhookEndpoint;
const delivery = (id: number, attempt_count = 1, state = "delivered") =>
  ({ id, attempt_count, state, created_at: new Date(1_000 * id).toISOString() }) as Delivery;
const pages = (...ids: number[][]) => ({
  pages: ids.map((page, index) => ({ data: page.map((id) => delivery(id)), next_cursor: index < ids.length - 1 || page.length === 3 ? "more" : null })),
  pageParams: ids.map((_, index) => (index === 0 ? undefined : "more")),
});
const idsOf = (loaded: ReturnType<typeof withDelivery>) => loaded?.pages.map(({ data }) => data.map(({ id }) => id));

describe("endpoints", () => {
  function endpointList(initial?: WebhookEndpoint[]) {
    const client = createClient();
    client.queryClient.setQueryData(webhookKeys.endpoints, initial);
    return { client, current: () => client.queryClient.getQueryData<WebhookEndpoint[]>(webhookKeys.endpoints) };
  }
  test("a new endpoint is inserted in order, a known one is replaced, a deleted one is removed", () => {
    const { client, current } = endpointList([endpoint(1), endpoint(3)]);
    upsertEndpoint(client, endpoint(2));
    expect(current()?.map(({ id }) => id)).toEqual([1, 2, 3]);
    upsertEndpoint(client, endpoint(3, "https://b.example/"));
    expect(current()).toEqual([endpoint(1), endpoint(2), endpoint(3, "https://b.example/")]);
    removeEndpoint(client, 1);
    expect(current()?.map(({ id }) => id)).toEqual([2, 3]);
  });
  test("a list that is not loaded stays undefined", () => {
    const { client, current } = endpointList();
    upsertEndpoint(client, endpoint(1));
    removeEndpoint(client, 1);
    expect(current()).toBeUndefined();
  });
});

describe("deliveries, newest first", () => {
  test("a new delivery is inserted by its time", () => {
    expect(idsOf(withDelivery(pages([9, 8, 7], [5, 4]), delivery(10), true))).toEqual([
      [10, 9, 8, 7],
      [5, 4],
    ]);
    expect(idsOf(withDelivery(pages([9, 8, 7], [5, 4]), delivery(6), true))).toEqual([
      [9, 8, 7],
      [6, 5, 4],
    ]);
    expect(idsOf(withDelivery(pages([9, 8, 7], [5, 4]), delivery(3), true))).toEqual([
      [9, 8, 7],
      [5, 4, 3],
    ]);
    expect(idsOf(withDelivery(pages([]), delivery(3), true))).toEqual([[3]]);
  });
  test("deliveries are sorted by time, then by id, like in the service", () => {
    const late = { ...delivery(1), created_at: delivery(6).created_at };
    expect(idsOf(withDelivery(pages([9, 8, 7], [5, 4]), late, true))).toEqual([
      [9, 8, 7],
      [1, 5, 4],
    ]);
    expect(idsOf(withDelivery(pages([9, 5]), { ...delivery(6), created_at: delivery(5).created_at }, true))).toEqual([[9, 6, 5]]);
  });
  test("a delivery older than the loaded pages waits for its page", () => {
    const loaded = pages([9, 8, 7]);
    expect(withDelivery(loaded, delivery(3), true)).toBe(loaded);
  });
  test("a known delivery is replaced, or removed when it no longer matches the filter", () => {
    const loaded = pages([9, 8, 7], [5, 4]);
    const changed = withDelivery(loaded, delivery(5, 2, "failed"), true);
    expect(changed?.pages[1]?.data[0]).toEqual(delivery(5, 2, "failed"));
    expect(changed?.pages[0]).toBe(loaded.pages[0]);
    expect(idsOf(withDelivery(loaded, delivery(8, 2), false))).toEqual([
      [9, 7],
      [5, 4],
    ]);
  });
  test("a delivery that does not match the filter is not added", () => {
    const loaded = pages([9, 8]);
    expect(withDelivery(loaded, delivery(10), false)).toBe(loaded);
    expect(withDelivery(undefined, delivery(10), true)).toBeUndefined();
  });
  test("an older response changes nothing", () => {
    const loaded = withDelivery(pages([9]), delivery(9, 3, "delivered"), true);
    expect(withDelivery(loaded, delivery(9, 2, "pending"), true)).toBe(loaded);
    // A manual redelivery has the same attempt count and another state.
    expect(withDelivery(loaded, delivery(9, 3, "pending"), true)?.pages[0]?.data[0]?.state).toBe("pending");
  });
});

test("an open delivery updates its summary and preserves body and attempts", () => {
  const known = { ...delivery(9, 1, "pending"), body: "{}", attempts: [{ number: 1 }] } as DeliveryWithAttempts;
  expect(withSummary(known, delivery(9, 2, "delivered"))).toEqual({ ...known, attempt_count: 2, state: "delivered" });
  expect(withSummary(known, delivery(9, 0, "pending"))).toBe(known);
  expect(withSummary(undefined, delivery(9))).toBeUndefined();
});
