import { describe, expect, test } from "vitest";
import { ATTEMPT_OUTCOMES } from "../../../../contract/webhook-records.ts";
import { nextRetryDelayMs, RETRY_DELAYS_MS } from "../../../../server/delivery/schedule.ts";
import { explainOutcome, isNextAsAsked } from "./attempt.ts";

const finishedAttempt = (outcome: string, status: number | null = null, overrides: { remark?: string; headers?: Record<string, string> } = {}) => ({
  outcome,
  status,
  remark: overrides.remark ?? null,
  response_headers: overrides.headers ?? null,
});

test.each(ATTEMPT_OUTCOMES)("%s has its own summary, and advice unless it succeeded", (outcome) => {
  const explanation = explainOutcome(finishedAttempt(outcome, ["ok", "http", "redirect"].includes(outcome) ? 500 : null), true);
  expect(explanation.summary).toMatch(/\.$/);
  expect(explanation.summary).not.toContain("{");
  if (outcome !== "ok") expect(explanation.advice).toMatch(/\.$/);
});

test("every outcome has a different summary", () => {
  const summaries = ATTEMPT_OUTCOMES.map((outcome) => explainOutcome(finishedAttempt(outcome), true).summary);
  expect(new Set(summaries).size).toBe(summaries.length);
});

test.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 500, 501, 502, 503, 504, 599])("HTTP %i shows its status and advice", (status) => {
  const explanation = explainOutcome(finishedAttempt("http", status), true);
  expect(explanation.summary).toContain(`(${status})`);
  expect(explanation.advice).toBeTruthy();
});

test("an outcome of a newer service shows its name", () => {
  expect(explainOutcome(finishedAttempt("quantum"), true).summary).toContain("quantum");
});

describe("Retry-After", () => {
  const ENDED = Date.parse("2026-03-02T14:31:08.200Z");
  const attempt = (retryAfter: string, status = 503) => ({
    outcome: "http",
    status,
    started_at: new Date(ENDED - 200).toISOString(),
    duration_ms: 200,
    response_headers: { "Retry-After": retryAfter },
  });
  const nextAfter = (ms: number) => new Date(ENDED + ms).toISOString();

  const cases = [...RETRY_DELAYS_MS.keys()].flatMap((step) =>
    [0, 0.5, 1].flatMap((random) => [1, 30, 300, 7_200, 86_400, 200_000].map((s) => [step, random, s] as const)),
  );
  test.each([...cases])("is named exactly where the schedule follows it: step %i, jitter %f, %i seconds", (step, random, seconds) => {
    const scheduled = nextRetryDelayMs(step, null, random)!;
    const asked = Math.min(seconds * 1_000, 86_400_000);
    const next = nextAfter(nextRetryDelayMs(step, seconds * 1_000, random)! + 12);
    // Seconds apart the two times are the same for a reader.
    const isNear = Math.abs(scheduled - asked) <= 6_000;
    expect(isNear || isNextAsAsked(attempt(String(seconds)), next)).toBe(isNear || asked > scheduled);
  });
  test("30 seconds on the second attempt, which the schedule repeats after five minutes, are not named", () => {
    expect(isNextAsAsked(attempt("30"), nextAfter(5 * 60_000))).toBe(false);
    expect(explainOutcome(finishedAttempt("http", 503, { headers: { "retry-after": "30" } }), true)).toEqual({
      summary: "The receiver is temporarily unavailable (503).",
      advice: "We retry later.",
    });
  });
  test("does not count for other statuses, or when it is no number, and promises nothing without another attempt", () => {
    expect(isNextAsAsked(attempt("300", 500), nextAfter(300_000))).toBe(false);
    for (const text of ["soon", "-5", "Mon, 02 Mar 2026 14:36:08 GMT"]) expect(isNextAsAsked(attempt(text), nextAfter(300_000))).toBe(false);
    expect(explainOutcome(finishedAttempt("http", 429, { headers: { "retry-after": "300" } }), false).advice).toBeUndefined();
  });
});

test("a redirect shows its target", () => {
  expect(explainOutcome(finishedAttempt("redirect", 301, { headers: { location: "https://new.example/x" } }), true).advice).toContain("https://new.example/x");
  expect(explainOutcome(finishedAttempt("redirect", 301), true).advice).toBe("Use the URL it redirects to as the endpoint URL.");
});

test("a success other than 200 with JSON counts, and shows its status", () => {
  expect(explainOutcome(finishedAttempt("ok", 200), false)).toEqual({ summary: "Delivered." });
  expect(explainOutcome(finishedAttempt("ok", 204, { remark: "2xx, but not 200 with JSON" }), false).summary).toContain("204");
});
