import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { SCHEDULE } from "./schedule.ts";
import type { Tried } from "./send.ts";
import { verdictOf, type EndpointState } from "./verdict.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const tried = (more: Partial<Tried> = {}): Tried => ({
  outcome: "http",
  status: 500,
  startedAt: NOW,
  duration: 3,
  requestHeaders: {},
  responseHeaders: {},
  responseBody: "",
  wish: null,
  ...more,
});
const ON: EndpointState = { enabled: 1, failing_since: null, deleted_at: null };
const PAUSED: EndpointState = { ...ON, enabled: 0 };
const DELETED: EndpointState = { ...ON, deleted_at: NOW - HOUR };
const judge = (what: Tried, { step = 0, is_test = 0, endpoint = ON }: { step?: number; is_test?: 0 | 1; endpoint?: EndpointState } = {}) =>
  verdictOf({ step, is_test }, endpoint, what, NOW, 0.5);

describe("an answer with 2xx", () => {
  test("is delivered, and ends the endpoint's failing", () => {
    const failing = { ...ON, failing_since: NOW - 4 * DAY };
    expect(judge(tried({ outcome: "ok", status: 204 }), { step: 3, endpoint: failing })).toEqual({
      delivery: { state: "delivered", step: 4, next_attempt_at: null, done_at: NOW },
      failingSince: null,
      disable: null,
    });
  });
  test("counts for endpoints that were paused or deleted meanwhile", () => {
    for (const endpoint of [PAUSED, DELETED]) expect(judge(tried({ outcome: "ok", status: 200 }), { endpoint }).delivery.state).toBe("delivered");
  });
});

describe("a failure", () => {
  test("waits for its next try, and starts the endpoint's failing", () => {
    expect(judge(tried())).toEqual({
      delivery: { state: "pending", step: 1, next_attempt_at: NOW + 5 * SECOND, done_at: null },
      failingSince: NOW,
      disable: null,
    });
  });
  test("is given up after the last of the schedule, not before", () => {
    for (let step = 0; step < SCHEDULE.length - 1; step += 1)
      expect(judge(tried({ outcome: "timeout", status: null }), { step }).delivery.state).toBe("pending");
    expect(judge(tried(), { step: SCHEDULE.length - 1 }).delivery).toEqual({ state: "failed", step: SCHEDULE.length, next_attempt_at: null, done_at: NOW });
  });
  test("waits as long as the receiver asks", () => {
    expect(judge(tried({ status: 429, wish: HOUR })).delivery.next_attempt_at).toBe(NOW + HOUR);
  });
  test("does not move when failing began", () => {
    expect(judge(tried(), { endpoint: { ...ON, failing_since: NOW - DAY } }).failingSince).toBe(NOW - DAY);
  });
  test("is kept where the endpoint was paused meanwhile, and given up where it was deleted", () => {
    expect(judge(tried(), { endpoint: PAUSED }).delivery).toMatchObject({ state: "held", next_attempt_at: null, done_at: null });
    expect(judge(tried(), { endpoint: DELETED }).delivery).toMatchObject({ state: "failed", next_attempt_at: null, done_at: NOW });
  });
});

describe("an endpoint", () => {
  test("that answers 410 is disabled at once, and the delivery given up", () => {
    expect(judge(tried({ status: 410 }))).toMatchObject({ delivery: { state: "failed" }, disable: "gone" });
  });
  test("is not disabled twice", () => {
    expect(judge(tried({ status: 410 }), { endpoint: PAUSED }).disable).toBeNull();
  });
  test.each([
    [5 * DAY - 1, null],
    [5 * DAY, "failing"],
  ])("that has failed for %i ms: %s", (ago, disable) => {
    const verdict = judge(tried(), { step: 2, endpoint: { ...ON, failing_since: NOW - ago } });
    expect(verdict.disable).toBe(disable);
    expect(verdict.delivery.state).toBe(disable ? "held" : "pending");
  });
  test("with a failing_since in the future, as after a clock that was put back, goes on", () => {
    expect(judge(tried(), { endpoint: { ...ON, failing_since: NOW + HOUR } })).toMatchObject({ disable: null, delivery: { state: "pending" } });
  });
});

describe("a test", () => {
  test("is tried once, and says nothing about days", () => {
    expect(judge(tried(), { is_test: 1 })).toMatchObject({ delivery: { state: "failed", step: 1 }, failingSince: null, disable: null });
    expect(judge(tried(), { is_test: 1, endpoint: { ...ON, failing_since: NOW - 6 * DAY } }).disable).toBeNull();
  });
  test("that succeeds ends the endpoint's failing", () => {
    expect(judge(tried({ outcome: "ok", status: 200 }), { is_test: 1, endpoint: { ...ON, failing_since: NOW - DAY } }).failingSince).toBeNull();
  });
});

describe("a try that we broke off", () => {
  const broken = tried({ outcome: "interrupted", status: null });
  test("is repeated at once and does not count", () => {
    expect(judge(broken, { step: 4 })).toEqual({
      delivery: { state: "pending", step: 4, next_attempt_at: NOW, done_at: null },
      failingSince: null,
      disable: null,
    });
  });
  test("is kept where the endpoint is paused, unless it is a test", () => {
    expect(judge(broken, { endpoint: PAUSED }).delivery.state).toBe("held");
    expect(judge(broken, { endpoint: PAUSED, is_test: 1 }).delivery).toMatchObject({ state: "pending", next_attempt_at: NOW });
  });
});

test("410 in a redirect's or a broken answer's place is none", () => {
  expect(judge(tried({ outcome: "timeout", status: 410 })).disable).toBeNull();
  expect(judge(tried({ status: 429, wish: MINUTE })).disable).toBeNull();
});
