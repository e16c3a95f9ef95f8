import { describe, expect, test } from "vitest";
import { ATTEMPT_OUTCOMES } from "../../../../contract/webhook-records.ts";
import { wordsOf } from "./outcome.ts";

const ended = (outcome: string, status: number | null = null, more: { remark?: string; headers?: Record<string, string> } = {}) => ({
  outcome,
  status,
  remark: more.remark ?? null,
  response_headers: more.headers ?? null,
});

test.each(ATTEMPT_OUTCOMES)("%s has a sentence of its own, and all but plain success say what helps", (outcome) => {
  const words = wordsOf(ended(outcome, ["ok", "http", "redirect"].includes(outcome) ? 500 : null), true);
  expect(words.what).toMatch(/\.$/);
  expect(words.what).not.toContain("{");
  if (outcome !== "ok") expect(words.advice).toMatch(/\.$/);
});

test("no two outcomes are told by the same sentence", () => {
  const told = ATTEMPT_OUTCOMES.map((outcome) => wordsOf(ended(outcome), true).what);
  expect(new Set(told).size).toBe(told.length);
});

test.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 500, 501, 502, 503, 504, 599])("HTTP %i names its status", (status) => {
  const words = wordsOf(ended("http", status), true);
  expect(words.what).toContain(`(${status})`);
  expect(words.advice).toBeTruthy();
});

test("an outcome of a newer service is told by its name", () => {
  expect(wordsOf(ended("quantum"), true).what).toContain("quantum");
});

describe("Retry-After", () => {
  const after = (value: string, pending = true, status = 503) => wordsOf(ended("http", status, { headers: { "Retry-After": value } }), pending).advice;
  test("is told where another try will heed it", () => {
    expect(after("300")).toBe("It asked us to wait 5 minutes; we will.");
    expect(after("60")).toBe("It asked us to wait 60 seconds; we will.");
    expect(after("1")).toBe("It asked us to wait a second; we will.");
    expect(after("120", true, 429)).toBe("It asked us to wait 2 minutes; we will.");
  });
  test("is not promised where no other try will be, nor for other answers, nor for what is no number", () => {
    expect(after("300", false)).toBeUndefined();
    for (const advice of [after("300", true, 500), after("soon"), after("-5")]) expect(advice).not.toContain("asked us to wait");
  });
});

test("a redirect names where it leads", () => {
  expect(wordsOf(ended("redirect", 301, { headers: { location: "https://new.example/x" } }), true).advice).toContain("https://new.example/x");
  expect(wordsOf(ended("redirect", 301), true).advice).toBe("Register the address it leads to.");
});

test("a success that is not 200 with JSON counts, and says so", () => {
  expect(wordsOf(ended("ok", 200), false)).toEqual({ what: "Delivered." });
  expect(wordsOf(ended("ok", 204, { remark: "answered, but not with 200 and JSON" }), false).what).toContain("204");
});
