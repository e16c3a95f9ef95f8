import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { decideRetry, type AttemptedEndpoint } from "./retry-decision.ts";
import { RETRY_DELAYS_MS } from "./schedule.ts";
import type { AttemptResult } from "./guarded-post.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const attemptResult = (more: Partial<AttemptResult> = {}): AttemptResult => ({
  outcome: "http",
  status: 500,
  startedAt: NOW,
  duration: 3,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: "",
  retryAfterMs: null,
  ...more,
});
const ACTIVE: AttemptedEndpoint = { enabled: 1, failing_since: null, deleted_at: null };
const PAUSED: AttemptedEndpoint = { ...ACTIVE, enabled: 0 };
const DELETED: AttemptedEndpoint = { ...ACTIVE, deleted_at: NOW - HOUR };
const decide = (result: AttemptResult, { step = 0, is_test = 0, endpoint = ACTIVE }: { step?: number; is_test?: 0 | 1; endpoint?: AttemptedEndpoint } = {}) =>
  decideRetry({ step, is_test }, endpoint, result, NOW, 0.5);

describe("a 2xx response", () => {
  test("marks the delivery as delivered and clears the endpoint's failing state", () => {
    const failing = { ...ACTIVE, failing_since: NOW - 4 * DAY };
    expect(decide(attemptResult({ outcome: "ok", status: 204 }), { step: 3, endpoint: failing })).toEqual({
      delivery: { state: "delivered", step: 4, next_attempt_at: null, done_at: NOW },
      failingSince: null,
      disable: null,
    });
  });
  test("counts even if the endpoint was paused or deleted meanwhile", () => {
    for (const endpoint of [PAUSED, DELETED]) expect(decide(attemptResult({ outcome: "ok", status: 200 }), { endpoint }).delivery.state).toBe("delivered");
  });
});

describe("a failure", () => {
  test("schedules the next attempt and marks the endpoint as failing", () => {
    expect(decide(attemptResult())).toEqual({
      delivery: { state: "pending", step: 1, next_attempt_at: NOW + 5 * SECOND, done_at: null },
      failingSince: NOW,
      disable: null,
    });
  });
  test("fails the delivery after the last scheduled attempt, not before", () => {
    for (let step = 0; step < RETRY_DELAYS_MS.length; step += 1)
      expect(decide(attemptResult({ outcome: "timeout", status: null }), { step }).delivery.state).toBe("pending");
    expect(decide(attemptResult(), { step: RETRY_DELAYS_MS.length }).delivery).toEqual({
      state: "failed",
      step: RETRY_DELAYS_MS.length + 1,
      next_attempt_at: null,
      done_at: NOW,
    });
  });
  test("waits as long as Retry-After asks", () => {
    expect(decide(attemptResult({ status: 429, retryAfterMs: HOUR })).delivery.next_attempt_at).toBe(NOW + HOUR);
  });
  test("does not change since when the endpoint is failing", () => {
    expect(decide(attemptResult(), { endpoint: { ...ACTIVE, failing_since: NOW - DAY } }).failingSince).toBe(NOW - DAY);
  });
  test("holds the delivery if the endpoint was paused meanwhile, and fails it if the endpoint was deleted", () => {
    expect(decide(attemptResult(), { endpoint: PAUSED }).delivery).toMatchObject({ state: "held", next_attempt_at: null, done_at: null });
    expect(decide(attemptResult(), { endpoint: DELETED }).delivery).toMatchObject({ state: "failed", next_attempt_at: null, done_at: NOW });
  });
});

describe("an endpoint", () => {
  test("is disabled at once by a 410, and the delivery fails", () => {
    expect(decide(attemptResult({ status: 410 }))).toMatchObject({ delivery: { state: "failed" }, disable: "gone" });
  });
  test("is not disabled twice", () => {
    expect(decide(attemptResult({ status: 410 }), { endpoint: PAUSED }).disable).toBeNull();
  });
  test.each([
    [5 * DAY - 1, null],
    [5 * DAY, "failing"],
  ])("that has been failing for %i ms is disabled as: %s", (ago, disable) => {
    const decision = decide(attemptResult(), { step: 2, endpoint: { ...ACTIVE, failing_since: NOW - ago } });
    expect(decision.disable).toBe(disable);
    expect(decision.delivery.state).toBe(disable ? "held" : "pending");
  });
  test("is not disabled if failing_since is in the future", () => {
    expect(decide(attemptResult(), { endpoint: { ...ACTIVE, failing_since: NOW + HOUR } })).toMatchObject({ disable: null, delivery: { state: "pending" } });
  });
});

describe("a test", () => {
  test("is attempted once and does not mark the endpoint as failing", () => {
    expect(decide(attemptResult(), { is_test: 1 })).toMatchObject({ delivery: { state: "failed", step: 1 }, failingSince: null, disable: null });
    expect(decide(attemptResult(), { is_test: 1, endpoint: { ...ACTIVE, failing_since: NOW - 6 * DAY } }).disable).toBeNull();
  });
  test("that succeeds does not end the endpoint's failing state", () => {
    const succeeded = decide(attemptResult({ outcome: "ok", status: 200 }), { is_test: 1, endpoint: { ...ACTIVE, failing_since: NOW - DAY } });
    expect(succeeded).toMatchObject({ delivery: { state: "delivered" }, failingSince: NOW - DAY, disable: null });
  });
});

describe("an interrupted attempt", () => {
  const interrupted = attemptResult({ outcome: "interrupted", status: null });
  test("is repeated at once and does not count", () => {
    expect(decide(interrupted, { step: 4 })).toEqual({
      delivery: { state: "pending", step: 4, next_attempt_at: NOW, done_at: null },
      failingSince: null,
      disable: null,
    });
  });
  test("is held if the endpoint is paused, unless it is a test", () => {
    expect(decide(interrupted, { endpoint: PAUSED }).delivery.state).toBe("held");
    expect(decide(interrupted, { endpoint: PAUSED, is_test: 1 }).delivery).toMatchObject({ state: "pending", next_attempt_at: NOW });
  });
});

test("a 410 without a complete response does not disable the endpoint, and neither does a 429", () => {
  expect(decide(attemptResult({ outcome: "timeout", status: 410 })).disable).toBeNull();
  expect(decide(attemptResult({ status: 429, retryAfterMs: MINUTE })).disable).toBeNull();
});
