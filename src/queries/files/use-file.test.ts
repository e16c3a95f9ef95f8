import { expect, test } from "vitest";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { ApiError } from "../../api/api-error.ts";
import { createApi } from "../../api/http.ts";
import { isVersionMissing, levelFor, originalFileUrl, processingPollInterval } from "./use-file.ts";

const info = (version: number) => ({ common: { version } }) as unknown as FileInfoResponse;
const buildError = (status: number) => new ApiError({ kind: "problem", status, title: "" });

test("a version is missing when the service returns 404 or another version", () => {
  expect(isVersionMissing(2, { data: undefined, error: buildError(404) })).toBe(true);
  expect(isVersionMissing(2, { data: info(3), error: null })).toBe(true);
  expect(isVersionMissing(2, { data: info(2), error: null })).toBe(false);
  expect(isVersionMissing(2, { data: undefined, error: null })).toBe(false);
});

test("a temporary error never makes a version missing", () => {
  expect(isVersionMissing(2, { data: undefined, error: buildError(503) })).toBe(false);
  expect(isVersionMissing(2, { data: undefined, error: new TypeError("no network") })).toBe(false);
  expect(isVersionMissing(2, { data: info(2), error: buildError(503) })).toBe(false);
});

test("a file in processing is polled also while the service fails, but not with a refused token or once it is out of reach", () => {
  const interval = (transcoding_status: string, error: Error | null = null) =>
    processingPollInterval({ state: { data: { common: { transcoding_status } } as unknown as FileInfoResponse, error } });
  expect([interval("transcoding"), interval("transcoding", buildError(503)), interval("transcoding", new TypeError("no network"))]).toEqual(
    Array.from({ length: 3 }, () => expect.any(Number)),
  );
  expect([401, 403, 404].map((status) => interval("transcoding", buildError(status)))).toEqual([false, false, false]);
  expect(interval("transcoded")).toBe(false);
});

const level = (length: number) => ({ samples_per_pixel: 64, length, bytes: length * 4, url: `/${length}` });

test.each([
  [800, 1_000],
  [1_000, 1_000],
  [1_001, 4_000],
  [99_999, 16_000],
])("%i pixels use the level with %i values", (pixels, length) => {
  expect(levelFor([level(16_000), level(4_000), level(1_000)], pixels)?.length).toBe(length);
});
test("without levels the result is undefined", () => expect(levelFor([], 100)).toBeUndefined());

test("originalFileUrl returns the download URL of a version", () => {
  const api = createApi({ baseUrl: "https://service.example" });
  expect(originalFileUrl(api, { id: 7, version: 2 })).toBe("https://service.example/api/v2/files/7/versions/2/original?download=1");
});
