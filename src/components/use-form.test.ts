import type { FormEvent } from "react";
import { expect, test } from "vitest";
import { createToken } from "../../contract/operations/accounts.ts";
import { setUp } from "../../contract/operations/session.ts";
import { createClient } from "../app/create-client.ts";
import { ApiError } from "../api/api-error.ts";
import { renderHook } from "../queries/hook.fixture.ts";
import { formProblem, useForm, validate } from "./use-form.ts";

const problem = (status: number, extra: object = {}) => new ApiError({ kind: "problem", status, title: "Title", ...extra });
const offline = new ApiError({ kind: "offline", status: 0, title: "No" });

test("validate returns missing fields and the first issue of each field", () => {
  const body = { token: "t", organisation: " ", username: "Ana", email: "nope", password: "short" };
  expect(validate(setUp.body, body)).toEqual([
    { path: "organisation", message: "" },
    { path: "email", message: "must be a valid email address" },
    { path: "password", message: "must have at least 12 characters" },
  ]);
  expect(validate(setUp.body, { ...body, organisation: "N", email: "a@b.c", password: "correct horse" })).toEqual([]);
  expect(validate(createToken.body, { name: "CI", scopes: [], expires_at: null })).toEqual([{ path: "scopes", message: "must include at least one scope" }]);
});

test("an issue without a visible field becomes an error of the form", () => {
  const hidden = { path: "team_id", message: "must be a positive number" };
  const shown = { path: "project_ids.0", message: "must be a number" };
  expect(formProblem([hidden], null, ["name"])?.help).toBe("Team id must be a positive number.");
  expect(formProblem([{ path: "", message: "is no record" }], null, ["name"])?.help).toBe("This form is no record.");
  expect(formProblem([{ path: "token", message: "" }, shown], null, ["project_ids"])?.help).toBe("Token is required.");
  expect(formProblem([shown], null, ["project_ids"])).toBeNull();
  // Errors from the service are shown by the same rule.
  expect(formProblem([], problem(400, { detail: "Two errors.", errors: [hidden, shown] }), ["project_ids"])).toEqual({ title: "Two errors." });
  expect(formProblem([], problem(400, { detail: "One error.", errors: [shown] }), ["project_ids"])).toBeNull();
  expect(formProblem([], offline, ["name"])).not.toBeNull();
  expect(formProblem([], null, ["name"])).toBeNull();
});

test("a response counts only while the form is shown, so that a late one neither closes nor leaves what is open by then", async () => {
  const response = Promise.withResolvers<string>();
  const mutation = { mutateAsync: () => response.promise, isPending: false, error: null, reset() {} };
  const received: string[] = [];
  const submit = (element: HTMLFormElement | null, name: string) => {
    const form = renderHook(createClient(), () => useForm<object, object, string>(mutation, undefined, {}));
    const submitted = form.submit({ preventDefault() {} } as FormEvent, {}, (text) => received.push(`${name}: ${text}`));
    form.ref.current = element;
    return submitted;
  };
  const submissions = [submit({} as HTMLFormElement, "shown"), submit(null, "closed")];
  response.resolve("saved");
  await Promise.all(submissions);
  expect(received).toEqual(["shown: saved"]);
});
