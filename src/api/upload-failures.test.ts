import { describe, expect, test, vi } from "vitest";
import { ApiError, offlineError } from "./api-error.ts";
import { problem } from "./tus-service.fixture.ts";
import { ID, advance, failNext, service, setUpUploads, start, storedText, until, url } from "./uploads.fixture.ts";
import { uploadFailureKind } from "./uploads.ts";

// The build for Node, which tests would get, sends no blobs.
vi.mock("tus-js-client", () => vi.importActual("tus-js-client/lib.esm/browser/index.js"));

setUpUploads();

describe("an upload", () => {
  test("retries a service that is gone ever later, without limit, and soon again after progress", async () => {
    service.failure = () => "unreachable";
    const { calls } = start();
    const times: number[] = [];
    for (let count = 1; count <= 9; count += 1) {
      await until(() => service.requests.length >= count);
      times.push(Date.now());
    }
    expect(times.slice(1).map((time, index) => Math.round((time - times[index]!) / 250) / 4)).toEqual([0.5, 1, 2, 4, 8, 15, 15, 15]);
    await advance(3_600_000);
    failNext("PATCH", { received: 3 }, { received: 3 });
    await until(() => service.requests.some((request) => request.startsWith("PATCH")));
    const restartedAt = Date.now();
    await until(() => calls.includes("done 101"));
    // 15 s after the first broken connection, half a second after the second one.
    expect(Date.now() - restartedAt).toBeLessThan(17_000);
    expect(await storedText()).toBe("0123456789");
  });

  test("waits as long as the service asks", async () => {
    failNext("POST", { status: 429, retryAfter: 30 });
    const { calls } = start();
    await advance(29_000);
    expect([service.requests, calls]).toEqual([["POST"], ["retrying: Not now"]]);
    await until(() => calls.includes("done 101"));
  });

  test("that is stopped while the service asks it to wait leaves no timer", async () => {
    failNext("POST", { status: 429, retryAfter: 30 });
    const { stop } = start();
    await advance(5_000);
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("of a signed-out account, or behind a proxy without its service, is not created again", async () => {
    const first = start();
    service.failure = ({ method }) => (method === "PATCH" ? { received: 4 } : null);
    await until(() => first.calls.includes("retrying"));
    first.stop();
    failNext("HEAD", { status: 401 }, { status: 412 }, { status: 502 }, { status: 503 }, { status: 429 });
    const { calls } = start({ url: url(1) });
    await until(() => calls.includes("done 101"));
    expect([service.uploads.size, await storedText()]).toEqual([1, "0123456789"]);
    expect(calls.filter((call) => call.startsWith("retrying"))).toHaveLength(5);
  });

  test("whose complete bytes cannot become a file fails with the service's reason, whichever request learns it", async () => {
    for (const [number, status] of [404, 409, 413].entries()) {
      service.finishFailure = problem(status, `Because of ${status}`);
      // The service no longer lets the account upload there either.
      service.failure = ({ method }) => (status === 404 && method === "POST" && number < service.uploads.size ? { status, detail: "Because of 404" } : null);
      const { calls } = start();
      await until(() => calls.some((call) => call.startsWith("failed")));
      expect(calls.at(-1)).toBe(`failed: Because of ${status}`);
      const requestCount = service.requests.length;
      await advance(60_000);
      expect(service.requests.length).toBe(requestCount);
      const resumed = start({ url: url(number + 1) });
      await until(() => resumed.calls.some((call) => call.startsWith("failed")));
      expect(resumed.calls.at(-1)).toBe(`failed: Because of ${status}`);
    }
    expect(service.uploads.size).toBe(3);
  });

  test("whose complete bytes cannot become a file fails also if the request for the offset succeeded", async () => {
    service.failure = ({ method }) => (method === "PATCH" ? "lost" : method === "GET" ? { status: 409, detail: "This project has no folder." } : null);
    const { calls } = start();
    await until(() => calls.some((call) => call.startsWith("failed")));
    expect(calls.at(-1)).toBe("failed: This project has no folder.");
  });

  test("whose code cannot be loaded fails at once, with the advice to reload the page", async () => {
    const restored = await import("tus-js-client");
    vi.doMock("tus-js-client", () => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
    const { calls } = start();
    await until(() => calls.length > 0);
    expect([calls, service.requests]).toEqual([["failed: A part of this page didn't load. Check your connection, reload the page and retry."], []]);
    vi.doMock("tus-js-client", () => restored);
  });

  test("whose file is not there yet asks again", async () => {
    failNext("PATCH", "lost");
    const { calls } = start();
    await until(() => service.uploads.get(ID(1))?.fileId === 101);
    service.uploads.get(ID(1))!.fileId = null;
    await until(() => service.requests.includes("GET 1"));
    service.uploads.get(ID(1))!.fileId = 7;
    await until(() => calls.includes("done 7"));
    expect(service.uploads.size).toBe(1);
  });

  test("that is refused fails at once with the service's reason", async () => {
    for (const status of [400, 403, 404, 409, 413]) {
      failNext("POST", { status, detail: `Because of ${status}` });
      const { calls } = start();
      await until(() => calls.length > 0);
      expect(calls).toEqual([`failed: Because of ${status}`]);
    }
    failNext("PATCH", { status: 413, detail: "Too large" });
    const { calls } = start();
    await until(() => calls.includes("failed: Too large"));
  });

  test("says why the service takes no bytes now, but not why it was not reached", async () => {
    failNext("PATCH", { status: 429, detail: "Too many requests", retryAfter: 1 }, "unreachable", { status: 507, detail: "The disk is full" });
    const { calls } = start();
    await until(() => calls.some((call) => call.startsWith("done")));
    expect(calls.filter((call) => call.startsWith("retrying"))).toEqual(["retrying: Too many requests", "retrying", "retrying: The disk is full"]);
  });

  test("fails after six errors of the service in a row; lost connections do not count, and progress starts the count again", async () => {
    const full = { status: 507, detail: "The disk is full" };
    failNext("PATCH", full, full, full, full, full, "unreachable", full);
    const failing = start();
    await until(() => failing.calls.includes("failed: The disk is full"));
    expect(failing.calls.filter((call) => call.startsWith("retrying"))).toHaveLength(6);

    failNext("PATCH", full, full, full, full, { received: 2 }, full, full, full, full, full);
    const { calls } = start();
    await until(() => calls.some((call) => call.startsWith("done")));
  });

  test("of a file that changed on the disk asks for the file, also while the service is gone", async () => {
    const file = new Blob(["0123456789"]);
    service.failure = () => "unreachable";
    const { calls } = start({ file });
    await until(() => calls.includes("retrying"));
    vi.spyOn(file, "slice").mockImplementation(() => {
      const changed = new Blob();
      changed.arrayBuffer = () => Promise.reject(new DOMException("changed", "NotReadableError"));
      return changed;
    });
    await until(() => calls.includes("unreadable"));
    const requestCount = service.requests.length;
    await advance(60_000);
    expect([calls.at(-1), service.requests.length]).toEqual(["unreadable", requestCount]);
  });
});

test("errors are retried, waited for or final by their meaning when an upload is created and later", () => {
  const errorOf = (status: number) => new ApiError({ kind: "problem", status, title: "Title" });
  const kindsOf = (method: string, ...errors: ApiError[]) => new Set(errors.map((error) => uploadFailureKind(error, method)));
  for (const method of ["POST", "HEAD", "PATCH"])
    expect(kindsOf(method, offlineError(null), ...[401, 412, 429, 502, 503].map(errorOf))).toEqual(new Set(["wait"]));
  expect(kindsOf("PATCH", errorOf(500), errorOf(507))).toEqual(new Set(["retry"]));
  expect(kindsOf("PATCH", errorOf(404), errorOf(409), errorOf(410))).toEqual(new Set(["wait"]));
  for (const method of ["POST", "HEAD"])
    expect(kindsOf(method, errorOf(400), errorOf(403), errorOf(404), errorOf(409), errorOf(413))).toEqual(new Set(["refused"]));
});
