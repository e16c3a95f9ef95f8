import { expect, test } from "vitest";
import { createToken } from "../../contract/operations/accounts.ts";
import { setUp } from "../../contract/operations/session.ts";
import { ApiError } from "../api/api-error.ts";
import { describeError, describeLoadError, formatFieldError } from "./describe-error.ts";
import { retryDelay, shouldRetry } from "./query-client.ts";
import { validate, formProblem } from "./use-form.ts";

const problem = (status: number, extra: object = {}) => new ApiError({ kind: "problem", status, title: "Title", ...extra });
const offline = new ApiError({ kind: "offline", status: 0, title: "No" });

test("what happened is told in the service's words where it has some", () => {
  expect(describeError(problem(409, { detail: "This name is taken." }))).toEqual({ title: "This name is taken." });
  expect(describeError(problem(404))).toEqual({ title: "Title" });
});

test("faults name the request; waiting is told in minutes; strangers are no crash", () => {
  expect(describeError(problem(500, { detail: "secret stack", requestId: "r9" }))).toMatchObject({ help: expect.stringContaining("r9") as string });
  expect(describeError(problem(500, { detail: "secret stack" })).title).not.toContain("secret");
  expect(describeError(problem(429, { retryAfter: 130 })).help).toContain("3 minutes");
  expect(describeError(problem(429, { retryAfter: 5 })).help).toContain("a minute");
  expect(describeError(offline).help).toContain("Nothing you typed was lost");
  // The response was lost, but perhaps not the request.
  for (const lost of [offline, new ApiError({ kind: "timeout", status: 0, title: "No" })]) expect(describeError(lost).help).toContain("couldn't confirm");
  // A read has no outcome to confirm and loses nothing.
  expect(describeLoadError(offline)).toEqual({ title: describeError(offline).title, help: "Check your connection and try again." });
  expect(describeLoadError(problem(404))).toEqual(describeError(problem(404)));
  expect(describeError("odd").title).not.toBe("");
});

test("a fault becomes a sentence about its field", () => {
  expect(formatFieldError("Name", "must not be empty")).toBe("Name must not be empty.");
  expect(formatFieldError("Name", "This name is taken.")).toBe("This name is taken.");
});

test("only what may pass is tried again, three times, at the pace that is asked for", () => {
  expect(shouldRetry(0, offline)).toBe(true);
  expect(shouldRetry(2, problem(503))).toBe(true);
  expect(shouldRetry(3, offline)).toBe(false);
  expect(shouldRetry(0, problem(404))).toBe(false);
  expect(shouldRetry(0, new Error("a fault of ours"))).toBe(false);
  expect([0, 1, 2].map((failures) => retryDelay(failures, offline))).toEqual([500, 1_000, 2_000]);
  expect(retryDelay(0, problem(429, { retryAfter: 7 }))).toBe(7_000);
  expect(retryDelay(0, problem(429, { retryAfter: 7_000 }))).toBe(30_000);
});

test("a form is checked before it is sent: empty is missing, the first fault of a field counts", () => {
  const body = { token: "t", organisation: " ", username: "Ana", email: "nope", password: "short" };
  expect(validate(setUp.body, body)).toEqual([
    { path: "organisation", message: "" },
    { path: "email", message: "must be a valid email address" },
    { path: "password", message: "must have at least 12 characters" },
  ]);
  expect(validate(setUp.body, { ...body, organisation: "N", email: "a@b.c", password: "correct horse" })).toEqual([]);
  expect(validate(createToken.body, { name: "CI", scopes: [], expires_at: null })).toEqual([{ path: "scopes", message: "must include at least one scope" }]);
});

test("a fault without a field of its own is the form's problem, one with a field is not", () => {
  const hidden = { path: "team_id", message: "must be a positive number" };
  const shown = { path: "project_ids.0", message: "must be a number" };
  expect(formProblem([hidden], null, ["name"])?.help).toBe("Team id must be a positive number.");
  expect(formProblem([{ path: "", message: "is no record" }], null, ["name"])?.help).toBe("This form is no record.");
  expect(formProblem([{ path: "token", message: "" }, shown], null, ["project_ids"])?.help).toBe("Token is required.");
  expect(formProblem([shown], null, ["project_ids"])).toBeNull();
  // Errors from the service are shown by the same rule.
  expect(formProblem([], problem(400, { detail: "Two faults.", errors: [hidden, shown] }), ["project_ids"])).toEqual({ title: "Two faults." });
  expect(formProblem([], problem(400, { detail: "One fault.", errors: [shown] }), ["project_ids"])).toBeNull();
  expect(formProblem([], offline, ["name"])).not.toBeNull();
  expect(formProblem([], null, ["name"])).toBeNull();
});
