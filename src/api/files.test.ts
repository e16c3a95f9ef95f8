import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { fetchBytes, fetchPageFile, fetchRange } from "./files.ts";
import { createApi } from "./http.ts";

const api = createApi();

const fetchMock = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("location", { origin: "https://talkback.test" });
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetchMock.mockReset();
});
const rejectionOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test("fetchBytes sends the session cookie, or only the token of another service", async () => {
  fetchMock.mockImplementation(() => Promise.resolve(new Response(new Uint8Array([2, 0, 7]))));
  expect([...new Uint8Array(await fetchBytes(api, "/api/v2/peaks/0"))]).toEqual([2, 0, 7]);
  expect(String(fetchMock.mock.calls[0]![0])).toBe("https://talkback.test/api/v2/peaks/0");
  expect(fetchMock.mock.calls[0]![1]).toMatchObject({ credentials: "same-origin", headers: {} });
  await fetchBytes(createApi({ baseUrl: "https://other.test", token: "secret" }), "/peaks");
  expect(String(fetchMock.mock.calls[1]![0])).toBe("https://other.test/peaks");
  expect(fetchMock.mock.calls[1]![1]).toMatchObject({ credentials: "omit", headers: { authorization: "Bearer secret" } });
});

test("fetchBytes sends the token to no other origin", async () => {
  fetchMock.mockImplementation(() => Promise.resolve(new Response(new Uint8Array([1]))));
  const other = createApi({ baseUrl: "https://other.test/service", token: "secret" });
  await fetchBytes(other, "https://cdn.test/peaks");
  expect(fetchMock.mock.calls[0]![1]).toMatchObject({ credentials: "omit", headers: {} });
  await fetchBytes(other, "https://other.test/peaks");
  expect(fetchMock.mock.calls[1]![1]).toMatchObject({ credentials: "omit", headers: { authorization: "Bearer secret" } });
});

test("an HTTP error becomes a problem, a network error becomes offline", async () => {
  fetchMock.mockResolvedValueOnce(Response.json({ object: "error", status: 404, title: "Not found" }, { status: 404 }));
  expect(await rejectionOf(fetchBytes(api, "/peaks"))).toMatchObject({ kind: "problem", status: 404, title: "Not found" });
  fetchMock.mockRejectedValueOnce(new TypeError("failed"));
  const error = await rejectionOf(fetchBytes(api, "/peaks"));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ kind: "offline" });
});

test("an aborted request rejects with the caller's abort reason", async () => {
  const controller = new AbortController();
  fetchMock.mockImplementation((_, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("cut")))));
  const bytes = rejectionOf(fetchBytes(api, "/peaks", { signal: controller.signal }));
  controller.abort(new Error("left the page"));
  expect(await bytes).toMatchObject({ message: "left the page" });
});

test("fetchRange sends a Range header, and slices the full response of a service that ignores it", async () => {
  fetchMock.mockResolvedValueOnce(new Response(new Uint8Array([4, 5]), { status: 206 }));
  expect([...new Uint8Array(await fetchRange(api, "/peaks", 4, 6))]).toEqual([4, 5]);
  expect(fetchMock.mock.calls[0]![1]).toMatchObject({ headers: { range: "bytes=4-5" } });
  fetchMock.mockResolvedValueOnce(new Response(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7])));
  expect([...new Uint8Array(await fetchRange(api, "/peaks", 4, 6))]).toEqual([4, 5]);
});

test("a file of the client itself comes from the page's origin without any credentials of a service, and an error rejects", async () => {
  fetchMock.mockResolvedValueOnce(new Response("page"));
  expect(await (await fetchPageFile("/", { headers: { accept: "text/html" } })).text()).toBe("page");
  expect(fetchMock.mock.calls[0]).toEqual(["/", { headers: { accept: "text/html" }, signal: expect.any(AbortSignal) }]);
  fetchMock.mockResolvedValueOnce(new Response("", { status: 503 }));
  await expect(fetchPageFile("/assets/data.json")).rejects.toThrow("503");
});
