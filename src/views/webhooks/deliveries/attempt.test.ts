import { describe, expect, test } from "vitest";
import { ATTEMPT_OUTCOMES } from "../../../../contract/webhook-records.ts";
import { explainOutcome } from "./attempt.ts";

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
  const adviceFor = (value: string, pending = true, status = 503) =>
    explainOutcome(finishedAttempt("http", status, { headers: { "Retry-After": value } }), pending).advice;
  test("shows when there is another attempt that respects it", () => {
    expect(adviceFor("300")).toBe("The receiver asked us to wait 5 minutes.");
    expect(adviceFor("60")).toBe("The receiver asked us to wait 60 seconds.");
    expect(adviceFor("1")).toBe("The receiver asked us to wait 1 second.");
    expect(adviceFor("120", true, 429)).toBe("The receiver asked us to wait 2 minutes.");
  });
  test("does not show without another attempt, for other statuses, or when it is no number", () => {
    expect(adviceFor("300", false)).toBeUndefined();
    for (const advice of [adviceFor("300", true, 500), adviceFor("soon"), adviceFor("-5")]) expect(advice).not.toContain("asked us to wait");
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
