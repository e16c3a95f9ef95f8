import { describe, expect, test } from "vitest";
import type { Delivery, DeliveryWithAttempts, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import { withDelivery, withEndpoint, withoutEndpoint, withSummary } from "./cache-updates.ts";

const endpoint = (id: number, url = "https://a.example/") => ({ id, url }) as WebhookEndpoint;
const delivery = (id: number, attempt_count = 1, state = "delivered") =>
  ({ id, attempt_count, state, created_at: new Date(1_000 * id).toISOString() }) as Delivery;
const pages = (...ids: number[][]) => ({
  pages: ids.map((page, index) => ({ data: page.map((id) => delivery(id)), next_cursor: index < ids.length - 1 || page.length === 3 ? "more" : null })),
  pageParams: ids.map((_, index) => (index === 0 ? undefined : "more")),
});
const idsOf = (loaded: ReturnType<typeof withDelivery>) => loaded?.pages.map(({ data }) => data.map(({ id }) => id));

describe("endpoints", () => {
  test("a new one takes its place, a known one keeps its own, a deleted one goes", () => {
    const list = [endpoint(1), endpoint(3)];
    expect(withEndpoint(list, endpoint(2))?.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(withEndpoint(list, endpoint(3, "https://b.example/"))).toEqual([endpoint(1), endpoint(3, "https://b.example/")]);
    expect(withoutEndpoint(list, 1)).toEqual([endpoint(3)]);
  });
  test("what is not loaded stays so", () => {
    expect(withEndpoint(undefined, endpoint(1))).toBeUndefined();
    expect(withoutEndpoint(undefined, 1)).toBeUndefined();
  });
});

describe("deliveries, newest first", () => {
  test("a new one comes on top, an old one where it belongs", () => {
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
  test("the time counts before the id, as in the service's own order", () => {
    const late = { ...delivery(1), created_at: delivery(6).created_at };
    expect(idsOf(withDelivery(pages([9, 8, 7], [5, 4]), late, true))).toEqual([
      [9, 8, 7],
      [1, 5, 4],
    ]);
    expect(idsOf(withDelivery(pages([9, 5]), { ...delivery(6), created_at: delivery(5).created_at }, true))).toEqual([[9, 6, 5]]);
  });
  test("one below what is loaded waits for its page", () => {
    const loaded = pages([9, 8, 7]);
    expect(withDelivery(loaded, delivery(3), true)).toBe(loaded);
  });
  test("a known one is replaced in its place, or taken out where the filter no longer lets it through", () => {
    const loaded = pages([9, 8, 7], [5, 4]);
    const changed = withDelivery(loaded, delivery(5, 2, "failed"), true);
    expect(changed?.pages[1]?.data[0]).toEqual(delivery(5, 2, "failed"));
    expect(changed?.pages[0]).toBe(loaded.pages[0]);
    expect(idsOf(withDelivery(loaded, delivery(8, 2), false))).toEqual([
      [9, 7],
      [5, 4],
    ]);
  });
  test("one that the filter does not let through is not put in", () => {
    const loaded = pages([9, 8]);
    expect(withDelivery(loaded, delivery(10), false)).toBe(loaded);
    expect(withDelivery(undefined, delivery(10), true)).toBeUndefined();
  });
  test("an answer that is older than what is shown changes nothing", () => {
    const loaded = withDelivery(pages([9]), delivery(9, 3, "delivered"), true);
    expect(withDelivery(loaded, delivery(9, 2, "pending"), true)).toBe(loaded);
    // A manual redelivery has the same attempt count and another state.
    expect(withDelivery(loaded, delivery(9, 3, "pending"), true)?.pages[0]?.data[0]?.state).toBe("pending");
  });
});

test("a delivery's page takes over the summary and keeps body and attempts", () => {
  const known = { ...delivery(9, 1, "pending"), body: "{}", attempts: [{ number: 1 }] } as DeliveryWithAttempts;
  expect(withSummary(known, delivery(9, 2, "delivered"))).toEqual({ ...known, attempt_count: 2, state: "delivered" });
  expect(withSummary(known, delivery(9, 0, "pending"))).toBe(known);
  expect(withSummary(undefined, delivery(9))).toBeUndefined();
});
