import { expect, test } from "vitest";
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import type { Delivery, WebhookEndpoint } from "../../../contract/webhook-records.ts";
import {
  formatCountdown,
  formatDuration,
  formatTimestamp,
  formatShortDateTime,
  formatLastResponse,
  deliveryStatusLabel,
  formatEventTypes,
  computeBars,
  computeStatistics,
  getDeliveryStatus,
  getEndpointState,
  redeliverDisabledReason,
} from "./states.ts";

const NOW = new Date(2026, 10, 21, 14, 0, 0).getTime();
const delivery = (overrides: Partial<Delivery>) =>
  ({ state: "pending", attempt_count: 0, next_attempt_at: null, last_attempt: null, ...overrides }) as Delivery;
const endpoint = (overrides: Partial<WebhookEndpoint>) => ({ enabled: true, failing_since: null, disabled_reason: null, ...overrides }) as WebhookEndpoint;
const hour = (delivered: number, failed = 0, waiting = 0) => ({ hour: "2026-11-21T13:00:00.000Z", delivered, failed, waiting });
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

test("an endpoint is active, failing, paused or disabled by the service", () => {
  expect(getEndpointState(endpoint({}))).toBe("active");
  expect(getEndpointState(endpoint({ failing_since: "2026-11-21T13:00:00.000Z" }))).toBe("failing");
  expect(getEndpointState(endpoint({ enabled: false, disabled_reason: "paused", failing_since: "2026-11-21T13:00:00.000Z" }))).toBe("paused");
  expect(getEndpointState(endpoint({ enabled: false, disabled_reason: "gone" }))).toBe("disabledGone");
  expect(getEndpointState(endpoint({ enabled: false, disabled_reason: "failing" }))).toBe("disabledFailing");
  expect(getEndpointState(endpoint({ enabled: false, disabled_reason: "token_ended" }))).toBe("pausedToken");
  expect(getEndpointState(endpoint({ enabled: false, disabled_reason: "unknown to this version" }))).toBe("paused");
});

test("the delivery rate is never rounded up to 100%", () => {
  expect(computeStatistics([hour(999, 1)]).deliveredPercent).toBe(99);
  expect(computeStatistics([hour(1), hour(0, 0, 1)])).toEqual({ totalCount: 2, deliveredCount: 1, failedCount: 0, waitingCount: 1, deliveredPercent: 50 });
  expect(computeStatistics([hour(0), hour(0)]).deliveredPercent).toBeNull();
  expect(computeStatistics([]).deliveredPercent).toBeNull();
});

test("the tallest hour fills the height, and a single event stays visible", () => {
  const [empty, single, tallest] = computeBars([hour(0), hour(0, 1), hour(3_000, 1_000)]);
  expect(empty).toMatchObject({ deliveredPercent: 0, failedPercent: 0, waitingPercent: 0 });
  expect(single).toMatchObject({ failedPercent: 8 });
  expect(tallest).toMatchObject({ deliveredPercent: 75, failedPercent: 25 });
});

test("a delivery counts down to its next attempt, and is being sent once that is due", () => {
  expect(getDeliveryStatus(delivery({ next_attempt_at: inSeconds(252), attempt_count: 3 }), NOW)).toEqual({ kind: "waiting", seconds: 252, isRetry: true });
  expect(getDeliveryStatus(delivery({ next_attempt_at: inSeconds(0) }), NOW)).toEqual({ kind: "sending" });
  expect(getDeliveryStatus(delivery({ next_attempt_at: inSeconds(-9) }), NOW)).toEqual({ kind: "sending" });
  expect(getDeliveryStatus(delivery({}), NOW)).toEqual({ kind: "sending" });
  for (const kind of ["delivered", "failed", "held"] as const)
    expect(getDeliveryStatus(delivery({ state: kind, next_attempt_at: inSeconds(9) }), NOW)).toEqual({ kind });
  expect(deliveryStatusLabel({ kind: "waiting", seconds: 252, isRetry: true })).toBe("Next try in 4:12");
});

test("a delivery can be redelivered whenever the service allows it", () => {
  const disabledReasons = (enabled: boolean, is_test = false) =>
    ["pending", "delivered", "failed", "held"].map((state) => redeliverDisabledReason(delivery({ state, is_test }), { enabled }, NOW));
  expect(disabledReasons(true)).toEqual(["sending", null, null, null]);
  expect(disabledReasons(false)).toEqual(["sending", "paused", "paused", "paused"]);
  expect(disabledReasons(false, true)).toEqual(["sending", null, null, null]);
  expect(redeliverDisabledReason(delivery({ next_attempt_at: inSeconds(252) }), { enabled: true }, NOW)).toBeNull();
});

test("durations, countdowns and times are formatted", () => {
  expect([formatDuration(84.4), formatDuration(999), formatDuration(15_000)]).toEqual(["84 ms", "999 ms", "15.0 s"]);
  expect([formatCountdown(5), formatCountdown(252), formatCountdown(7_200), formatCountdown(97_200)]).toEqual(["0:05", "4:12", "2:00:00", "1 d 3 h"]);
  const today = new Date(NOW - 60_000).toISOString();
  const before = new Date(NOW - 4 * 86_400_000).toISOString();
  // The 12- or 24-hour clock and the order of day and month depend on the reader's locale.
  expect(formatTimestamp(today, NOW)).toMatch(/^(13|1):59:00/);
  expect(formatTimestamp(before, NOW)).toMatch(/^(17 Nov|Nov 17), (14|2):00:00/);
  expect(formatShortDateTime(today, NOW)).toMatch(/^(13|1):59(?!:)/);
  expect(formatShortDateTime(before, NOW)).toMatch(/^(17 Nov|Nov 17), (14|2):00(?!:)/);
});

test("the last response shows its status, or the error instead of one", () => {
  const formatAttempt = (outcome: string, status: number | null) =>
    formatLastResponse(delivery({ last_attempt: { number: 1, started_at: "", duration_ms: 212, outcome, status, remark: null } }));
  expect(formatAttempt("http", 503)).toBe("503 in 212 ms");
  expect(formatAttempt("timeout", null)).toBe("timeout in 212 ms");
  expect(formatAttempt("something new", null)).toBe("something new in 212 ms");
  expect(formatLastResponse(delivery({}))).toBeNull();
});

test("event types are listed by name, or as all event types", () => {
  expect(formatEventTypes(WEBHOOK_EVENT_TYPES.toReversed())).toBe("All event types");
  expect(formatEventTypes(["file.uploaded", "task.closed"])).toBe("file.uploaded, task.closed");
});
