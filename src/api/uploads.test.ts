import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, offlineError } from "./api-error.ts";
import { createApi } from "./http.ts";
import { createTusService } from "./tus-service.fixture.ts";
import { discardUpload, startUpload, uploadFailureKind, type UploadInput } from "./uploads.ts";

// The build for Node, which tests would get, sends no blobs.
vi.mock("tus-js-client", () => vi.importActual("tus-js-client/lib.esm/browser/index.js"));

const CHUNK_BYTES = 16 * 1024 * 1024;
const ID = (number: number) => String(number).padStart(32, "0");
const url = (number: number) => `/api/v2/uploads/${ID(number)}`;

// Importing takes real time.
beforeAll(() => import("tus-js-client"));

let service: ReturnType<typeof createTusService>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  service = createTusService();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Starts an upload and records what its listener receives. */
function start({ file = new Blob(["0123456789"]), ...input }: Partial<UploadInput> = {}) {
  const calls: string[] = [];
  const progress: number[] = [];
  /** Holds the storing of the URL. */
  const storing = { until: Promise.resolve() };
  const transfer = startUpload(
    createApi(),
    { file, name: "mix.wav", projectId: 3, accountId: 5, target: null, url: null, ...input },
    {
      created(createdUrl) {
        calls.push(`created ${createdUrl}`);
        return storing.until;
      },
      progress: (sent) => void progress.push(sent),
      retrying: () => void calls.push("retrying"),
      done: ({ fileId }) => void calls.push(`done ${fileId}`),
      failed: (reason) => void calls.push(`failed: ${reason}`),
      unreadable: () => void calls.push("unreadable"),
    },
  );
  return { calls, progress, storing, ...transfer };
}

/** Advances the clock in steps, so that work outside of timers runs too. */
async function advance(milliseconds: number): Promise<void> {
  const step = Math.max(50, milliseconds / 100);
  for (let passed = 0; passed < milliseconds; passed += step) {
    await vi.advanceTimersByTimeAsync(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
/** Advances the clock until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let step = 0; !condition(); step += 1) {
    if (step > 5_000) throw new Error(`Nothing happened after ${service.requests.join(", ")}`);
    await advance(50);
  }
}
const storedText = (number = 1) => new Blob(service.uploads.get(ID(number))!.chunks).text();
/** Makes the next requests with this method fail, one failure each. */
function failNext(method: string, ...failures: ReturnType<typeof service.failure>[]): void {
  service.failure = (request) => (request.method === method ? (failures.shift() ?? null) : null);
}

describe("an upload", () => {
  test("is sent in chunks with its destination, and reports its progress and its file", async () => {
    const { calls, progress } = start({ file: new Blob([new Uint8Array(2 * CHUNK_BYTES + 5)]), target: { kind: "folder", folderId: 7, path: "Stems" } });
    await until(() => calls.includes("done 101"));
    expect(service.requests).toEqual(["POST", "PATCH 1 from 0", `PATCH 1 from ${CHUNK_BYTES}`, `PATCH 1 from ${2 * CHUNK_BYTES}`]);
    expect(service.uploads.get(ID(1))!.metadata).toEqual({ name: "mix.wav", parent_id: "7", path: "Stems" });
    expect(calls).toEqual([`created ${url(1)}`, "done 101"]);
    expect(progress.at(-1)).toBe(2 * CHUNK_BYTES + 5);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test("sends no byte before its URL is stored", async () => {
    const { calls, storing } = start();
    const stored = Promise.withResolvers<void>();
    storing.until = stored.promise;
    await advance(60_000);
    expect(service.requests).toEqual(["POST"]);
    stored.resolve();
    await until(() => calls.includes("done 101"));
  });

  test("of an earlier page continues at the service's offset, after a broken connection at the last received byte", async () => {
    const first = start();
    service.failure = ({ method }) => (method === "PATCH" ? { received: 4 } : null);
    await until(() => first.calls.includes("retrying"));
    first.stop();
    service.failure = () => null;
    service.requests.length = 0;
    const { calls } = start({ url: `https://talkback.test${url(1)}` });
    await until(() => calls.includes("done 101"));
    expect([service.requests, await storedText()]).toEqual([["HEAD 1", "PATCH 1 from 4"], "0123456789"]);
  });

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
    expect([service.requests, calls]).toEqual([["POST"], ["retrying"]]);
    await until(() => calls.includes("done 101"));
  });

  test("of a signed-out account, or behind a proxy without its service, is not created again", async () => {
    const first = start();
    service.failure = ({ method }) => (method === "PATCH" ? { received: 4 } : null);
    await until(() => first.calls.includes("retrying"));
    first.stop();
    failNext("HEAD", { status: 401 }, { status: 412 }, { status: 502 }, { status: 503 }, { status: 423 }, { status: 429 });
    const { calls } = start({ url: url(1) });
    await until(() => calls.includes("done 101"));
    expect([service.uploads.size, await storedText()]).toEqual([1, "0123456789"]);
    expect(calls.filter((call) => call === "retrying")).toHaveLength(6);
  });

  test("that the service no longer has starts over, whenever that is noticed", async () => {
    const resumed = start({ url: url(9) });
    await until(() => resumed.calls.includes("done 101"));
    expect(service.requests).toEqual(["HEAD 9", "POST", "PATCH 1 from 0"]);
    expect(resumed.calls).toEqual([`created ${url(1)}`, "done 101"]);

    // It expires between two chunks.
    service.requests.length = 0;
    let isDeleted = false;
    service.failure = ({ method, id }) => {
      if (method === "PATCH" && service.uploads.get(id!)?.chunks.length === 1 && !isDeleted) isDeleted = service.uploads.delete(id!);
      return null;
    };
    const { calls } = start({ file: new Blob([new Uint8Array(CHUNK_BYTES + 5)]) });
    await until(() => calls.some((call) => call.startsWith("done")));
    expect(service.requests.map((request) => request.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH", "HEAD", "POST", "PATCH", "PATCH"]);
  });

  test("at another offset than the service continues at the service's", async () => {
    const { calls } = start();
    // A request of an earlier page ends late.
    service.failure = ({ method, id }) => {
      const upload = service.uploads.get(id ?? "");
      if (method === "PATCH" && upload?.chunks.length === 0) upload.chunks.push(new Blob(["012"]));
      return null;
    };
    await until(() => calls.includes("done 101"));
    expect([service.requests, await storedText()]).toEqual([["POST", "PATCH 1 from 0", "HEAD 1", "PATCH 1 from 3"], "0123456789"]);
  });

  test("whose last response was lost is not sent again", async () => {
    failNext("PATCH", "lost");
    const { calls } = start();
    await until(() => calls.includes("done 101"));
    expect(service.requests).toEqual(["POST", "PATCH 1 from 0", "HEAD 1", "GET 1"]);
    // The page that resumes it may be another one.
    const { calls: laterCalls } = start({ url: url(1) });
    await until(() => laterCalls.includes("done 101"));
    expect(service.uploads.size).toBe(1);
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

  test("fails after six errors of the service in a row; lost connections do not count, and progress starts the count again", async () => {
    const full = { status: 507, detail: "The disk is full" };
    failNext("PATCH", full, full, full, full, full, "unreachable", full);
    const failing = start();
    await until(() => failing.calls.includes("failed: The disk is full"));
    expect(failing.calls.filter((call) => call === "retrying")).toHaveLength(6);

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

  test("of an empty file arrives with its creation", async () => {
    service.failure = ({ method }) => (method === "POST" ? null : { status: 500 });
    const { calls } = start({ file: new Blob() });
    await until(() => calls.length > 1);
    expect(calls.at(-1)).toBe("done 101");
  });

  test("that is stopped sends nothing more, whenever it is stopped", async () => {
    const file = new Blob([new Uint8Array(3 * CHUNK_BYTES)]);
    for (let stopAfter = 0; stopAfter < 12; stopAfter += 1) {
      service.requests.length = 0;
      const { calls, stop } = start({ file });
      for (let step = 0; step < stopAfter; step += 1) {
        await vi.advanceTimersByTimeAsync(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      stop();
      const [requestCount, callCount] = [service.requests.length, calls.length];
      await advance(30_000);
      expect([service.requests.length, calls.length]).toEqual([requestCount, callCount]);
    }
    expect(service.requests.some((request) => request.startsWith("PATCH"))).toBe(true);
  });

  test("that is stopped while it waits, or while its URL is being stored, stays stopped", async () => {
    service.failure = () => "unreachable";
    const waiting = start();
    await until(() => waiting.calls.includes("retrying"));
    waiting.stop();
    service.failure = () => null;
    const storing = start();
    const stored = Promise.withResolvers<void>();
    storing.storing.until = stored.promise;
    await until(() => storing.calls.length > 0);
    storing.stop();
    stored.resolve();
    service.requests.length = 0;
    await advance(60_000);
    expect(service.requests).toEqual([]);
  });
});

test("errors are retried, waited for or final by their meaning before and after an upload is created", () => {
  const problem = (status: number) => new ApiError({ kind: "problem", status, title: "Title" });
  const kindsOf = (hasStarted: boolean, ...errors: ApiError[]) => new Set(errors.map((error) => uploadFailureKind(error, hasStarted)));
  for (const hasStarted of [false, true])
    expect(kindsOf(hasStarted, offlineError(null), ...[401, 412, 423, 429, 502, 503].map(problem))).toEqual(new Set(["wait"]));
  expect(kindsOf(true, problem(500), problem(507))).toEqual(new Set(["retry"]));
  expect(kindsOf(true, problem(404), problem(409), problem(410))).toEqual(new Set(["wait"]));
  expect(kindsOf(false, problem(400), problem(403), problem(404), problem(409), problem(413))).toEqual(new Set(["refused"]));
});

describe("a canceled upload", () => {
  const discard = (changes: Partial<Parameters<typeof discardUpload>[1]> = {}) =>
    discardUpload(createApi(), { url: url(1), fileId: null, accountId: 5, ...changes });

  test("is deleted at the service in the middle", async () => {
    const { calls, stop } = start();
    failNext("PATCH", { received: 4 });
    await until(() => calls.includes("retrying"));
    stop();
    const discarding = discard();
    await advance(100);
    expect([await discarding, service.uploads.size]).toEqual([true, 0]);
  });

  test("is deleted later while the service is gone, and never when it does not exist", async () => {
    service.failure = ({ method }) => (method === "DELETE" ? "unreachable" : null);
    const { calls, stop } = start();
    failNext("PATCH", { received: 4 });
    await until(() => calls.includes("retrying"));
    stop();
    for (const failure of ["unreachable", { status: 503 }, { status: 401 }] as const) {
      failNext("DELETE", failure);
      const discarding = discard();
      await advance(100);
      expect(await discarding).toBe(false);
    }
    service.failure = () => null;
    expect(await discard({ url: url(9) })).toBe(true);
  });
});
