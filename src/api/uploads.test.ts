import { expect, test } from "vitest";
import { ApiError, offlineError } from "./api-error.ts";
import { toUploadFailure } from "./uploads.ts";

const problem = (status: number, fields = {}) => new ApiError({ kind: "problem", status, title: "Title", ...fields });

test("temporary errors make the upload wait, for as long as Retry-After asks", () => {
  for (const error of [offlineError(null), problem(401), problem(412), problem(423), problem(429), problem(502), problem(503)])
    expect(toUploadFailure(error, false)).toEqual({ reason: "unreachable" });
  expect(toUploadFailure(problem(429, { retryAfter: 3 }), true)).toEqual({ reason: "unreachable", afterMs: 3_000 });
  expect(toUploadFailure(problem(507, { detail: "The disk is full" }), true)).toEqual({ reason: "serverError", message: "The disk is full" });
});

test("404 and 409 have different meanings before and after the upload starts", () => {
  expect(toUploadFailure(problem(404), true)).toEqual({ reason: "missing" });
  expect(toUploadFailure(problem(404, { detail: "No such project" }), false)).toEqual({ reason: "refused", message: "No such project" });
  expect(toUploadFailure(problem(409), true)).toEqual({ reason: "unreachable" });
  expect(toUploadFailure(problem(409, { detail: "Too many under way" }), false)).toEqual({ reason: "refused", message: "Too many under way" });
});

test("a rejected upload shows the service's most specific message", () => {
  expect(toUploadFailure(problem(413, { detail: "Too large" }), false)).toEqual({ reason: "refused", message: "Too large" });
  expect(toUploadFailure(problem(400, { errors: [{ path: "name", message: "is too long" }] }), false)).toEqual({ reason: "refused", message: "is too long" });
});
