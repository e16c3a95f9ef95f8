import { expect, test } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { describeError, describeLoadError, describeReadError, formatFieldError, isUnconfirmed } from "./describe-error.ts";

const problem = (status: number, extra: object = {}) => new ApiError({ kind: "problem", status, title: "Title", ...extra });
const offline = new ApiError({ kind: "offline", status: 0, title: "No" });

test("an error shows the service's detail, else its title", () => {
  expect(describeError(problem(409, { detail: "This name is taken." }))).toEqual({ title: "This name is taken." });
  expect(describeError(problem(404))).toEqual({ title: "Title" });
});

test("server errors show the request id, rate limits show when to try again, and unknown errors have a text", () => {
  expect(describeError(problem(500, { detail: "secret stack", requestId: "r9" }))).toMatchObject({ help: expect.stringContaining("r9") as string });
  expect(describeError(problem(500, { detail: "secret stack" })).title).not.toContain("secret");
  expect(describeError(problem(429, { retryAfter: 130 })).help).toContain("3 minutes");
  expect(describeError(problem(429, { retryAfter: 5 })).help).toContain("5 seconds");
  expect(describeError(problem(429)).help).toContain("a minute");
  const detail = "Too many failed attempts. Try again in 15 minutes. Ask an admin.";
  expect(describeError(problem(429, { detail, retryAfter: 900 }))).toEqual({
    title: "Too many failed attempts.",
    help: "Try again in 15 minutes. Ask an admin.",
  });
  expect(describeError(offline).help).toContain("Nothing you typed was lost");
  // The response was lost, but perhaps not the request.
  for (const lost of [offline, new ApiError({ kind: "timeout", status: 0, title: "No" })]) expect(describeError(lost).help).toContain("couldn't confirm");
  // A read has no outcome to confirm and loses nothing.
  expect(describeLoadError(offline)).toEqual({ title: describeError(offline).title, help: "Retrying until the connection is back…" });
  expect(describeLoadError(problem(500, { requestId: "r9" })).help).toMatch(/^Try again\. .*r9$/);
  expect(describeLoadError(problem(404))).toEqual(describeError(problem(404)));
  expect(describeError("odd").title).not.toBe("");
});

test.each<[Error, string, string]>([
  [problem(401), "token", "Your access token wasn't accepted"],
  [problem(403), "another", "You can't read this"],
  [problem(404), "another", "Not found"],
  [problem(410), "another", "Not found"],
  [problem(418), "another", "The service refused the request (HTTP status 418)"],
  [problem(429), "retry", "Too many requests"],
  [problem(502), "retry", "Something went wrong on the server"],
  [offline, "retry", "Can't reach the server"],
  [new ApiError({ kind: "malformed", status: 200, title: "Odd" }), "retry", "Unexpected response from the server"],
])("a read that fails with %s offers %s", (error, remedy, title) => {
  expect(describeReadError(error, "No such file.")).toMatchObject({ remedy, title });
  if (title === "Not found") expect(describeReadError(error, "No such file.").help).toBe("No such file.");
});

test("a change is unconfirmed unless the service refused it", () => {
  const lost = (["offline", "timeout", "malformed"] as const).map((kind) => new ApiError({ kind, status: 0, title: "No" }));
  expect([...lost, problem(502)].map(isUnconfirmed)).toEqual([true, true, true, true]);
  expect([problem(400), problem(401), problem(429), new TypeError("No"), null].map(isUnconfirmed)).toEqual([false, false, false, false, false]);
});

test("an issue becomes a sentence about its field", () => {
  expect(formatFieldError("Name", "must not be empty")).toBe("Name must not be empty.");
  expect(formatFieldError("Name", "This name is taken.")).toBe("This name is taken.");
});
