import { expect, test } from "vitest";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { isGone } from "./use-shown-version.ts";

const info = (version: number) => ({ common: { version } }) as unknown as FileInfoAnswer;
const fault = (status: number) => new ApiError({ kind: "problem", status, title: "" });

test("a version is gone where the service says so, or answers with another one", () => {
  expect(isGone(2, { data: undefined, error: fault(404) })).toBe(true);
  expect(isGone(2, { data: info(3), error: null })).toBe(true);
  expect(isGone(2, { data: info(2), error: null })).toBe(false);
  expect(isGone(2, { data: undefined, error: null })).toBe(false);
});

test("what merely fails takes no version away, neither at first nor again", () => {
  expect(isGone(2, { data: undefined, error: fault(503) })).toBe(false);
  expect(isGone(2, { data: undefined, error: new TypeError("no network") })).toBe(false);
  expect(isGone(2, { data: info(2), error: fault(503) })).toBe(false);
});
