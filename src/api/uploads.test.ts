import { expect, test } from "vitest";
import { ApiError, offline } from "./api-error.ts";
import { failureOf } from "./uploads.ts";

const problem = (status: number, more = {}) => new ApiError({ kind: "problem", status, title: "Title", ...more });

test("a matter of time is waited for", () => {
  for (const error of [offline(null), problem(401), problem(412), problem(423), problem(429), problem(502), problem(503)])
    expect(failureOf(error, false)).toEqual({ reason: "away" });
  expect(failureOf(problem(429, { retryAfter: 3 }), true)).toEqual({ reason: "away", afterMs: 3_000 });
  expect(failureOf(problem(507, { detail: "The disk is full" }), true)).toEqual({ reason: "fault", fault: "The disk is full" });
});

test("one status means another thing before and after the upload has begun", () => {
  expect(failureOf(problem(404), true)).toEqual({ reason: "gone" });
  expect(failureOf(problem(404, { detail: "No such project" }), false)).toEqual({ reason: "refused", fault: "No such project" });
  expect(failureOf(problem(409), true)).toEqual({ reason: "away" });
  expect(failureOf(problem(409, { detail: "Too many under way" }), false)).toEqual({ reason: "refused", fault: "Too many under way" });
});

test("refusals are told in the service's most exact words", () => {
  expect(failureOf(problem(413, { detail: "Too large" }), false)).toEqual({ reason: "refused", fault: "Too large" });
  expect(failureOf(problem(400, { errors: [{ path: "name", message: "is too long" }] }), false)).toEqual({ reason: "refused", fault: "is too long" });
});
