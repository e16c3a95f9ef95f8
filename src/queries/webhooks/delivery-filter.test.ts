import { describe, expect, test } from "vitest";
import type { Delivery } from "../../../contract/webhook-records.ts";
import { matchesFilter, toDeliveryQuery, type DeliveryFilter } from "./delivery-filter.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const ALL: DeliveryFilter = { type: null, state: null, time: null };
const delivery = (at: Date | string, more: Partial<Delivery> = {}) =>
  ({ event_type: "file.uploaded", state: "failed", created_at: new Date(at).toISOString(), ...more }) as Delivery;

describe("the delivery query", () => {
  test("contains only the active filters", () => {
    expect(toDeliveryQuery(ALL, NOW)).toEqual({ event_type: undefined, state: undefined, from: undefined, to: undefined });
    expect(toDeliveryQuery({ type: "task.closed", state: "failed", time: "24h" }, NOW)).toEqual({
      event_type: "task.closed",
      state: "failed",
      from: "2026-11-20T12:00:00.000Z",
      to: undefined,
    });
  });
  test("covers a whole day of the reader's time zone, even one of 23 or 25 hours", () => {
    for (const day of ["2026-11-17", "2026-03-29", "2026-10-25"]) {
      const { from, to } = toDeliveryQuery({ ...ALL, time: day }, NOW);
      const [year, month, date] = day.split("-").map(Number) as [number, number, number];
      expect(from).toBe(new Date(year, month - 1, date).toISOString());
      expect(to).toBe(new Date(year, month - 1, date + 1).toISOString());
    }
  });
});

test("a day that does not exist is ignored", () => {
  for (const day of ["2026-02-31", "2026-13-01"]) expect(toDeliveryQuery({ ...ALL, time: day }, NOW)).toEqual(toDeliveryQuery(ALL, NOW));
});

describe("the filter for delivery events", () => {
  test("compares type, state and time", () => {
    const recentDelivery = delivery("2026-11-21T11:30:00.000Z");
    expect(matchesFilter(ALL, recentDelivery, NOW)).toBe(true);
    expect(matchesFilter({ type: "file.uploaded", state: "failed", time: "1h" }, recentDelivery, NOW)).toBe(true);
    expect(matchesFilter({ ...ALL, type: "task.closed" }, recentDelivery, NOW)).toBe(false);
    expect(matchesFilter({ ...ALL, state: "delivered" }, recentDelivery, NOW)).toBe(false);
    expect(matchesFilter({ ...ALL, time: "1h" }, delivery("2026-11-21T10:30:00.000Z"), NOW)).toBe(false);
  });
  test("includes the first moment of a day, and not that of the next", () => {
    const filter = { ...ALL, time: "2026-11-17" };
    expect(matchesFilter(filter, delivery(new Date(2026, 10, 17)), NOW)).toBe(true);
    expect(matchesFilter(filter, delivery(new Date(2026, 10, 18)), NOW)).toBe(false);
    expect(matchesFilter(filter, delivery(new Date(2026, 10, 16, 23, 59)), NOW)).toBe(false);
  });
});
