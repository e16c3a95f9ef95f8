import { describe, expect, test, vi } from "vitest";
import { ACCOUNT_HEADER } from "../../contract/account-header.ts";
import { createApi } from "./http.ts";
import { CHUNK_BYTES, ID, advance, failNext, service, setUpUploads, start, storedText, until, url } from "./uploads.fixture.ts";
import { discardUpload } from "./uploads.ts";

// The build for Node, which tests would get, sends no blobs.
vi.mock("tus-js-client", () => vi.importActual("tus-js-client/lib.esm/browser/index.js"));

setUpUploads();

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

  test("has the names that people see, without invisible characters that the service refuses", async () => {
    const { calls } = start({ name: "mi\u00adx\u200b.wav", target: { kind: "folder", folderId: 7, path: "St\u00adems/Drums\u200e" } });
    await until(() => calls.includes("done 101"));
    expect(service.uploads.get(ID(1))!.metadata).toEqual({ name: "mix.wav", parent_id: "7", path: "Stems/Drums" });
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

test("an upload and its deletion go to the client's service, with its token or with the account", async () => {
  const sentBy = async (api: ReturnType<typeof createApi>) => {
    const number = service.uploads.size + 1;
    service.failure = ({ method }) => (method === "PATCH" ? { received: 1 } : null);
    const { calls, stop } = start({}, api);
    await until(() => calls.includes("retrying"));
    stop();
    service.requests.length = service.sent.length = 0;
    const resumed = start({ url: url(number) }, api);
    await until(() => service.requests.includes(`HEAD ${number}`));
    resumed.stop();
    const discarding = discardUpload(api, { url: url(number), fileId: null, accountId: 5 });
    await until(() => service.requests.includes(`DELETE ${number}`));
    expect(await discarding).toBe(true);
    return service.sent.map(({ url: address, headers }) => [new URL(address).origin, headers.get("authorization"), headers.get(ACCOUNT_HEADER)].join());
  };
  expect(new Set(await sentBy(createApi({ baseUrl: "https://one.test", token: "secret" })))).toEqual(new Set(["https://one.test,Bearer secret,"]));
  expect(new Set(await sentBy(createApi({ baseUrl: "https://two.test" })))).toEqual(new Set(["https://two.test,,5"]));
});

test.each([
  ["an absolute URL", (id: string) => `https://host.test/base/api/v2/uploads/${id}`],
  ["an absolute path", (id: string) => `/base/api/v2/uploads/${id}`],
  ["a path without the base path, as of a service that does not know it", (id: string) => `/api/v2/uploads/${id}`],
  ["a relative path", (id: string) => `uploads/${id}`],
  ["a URL at another host", (id: string) => `https://evil.test/api/v2/uploads/${id}`],
])("an upload to a service below a path, whose Location is %s, sends all bytes and the token to the service alone", async (_, location) => {
  service.location = location;
  const { calls } = start({}, createApi({ baseUrl: "https://host.test/base", token: "secret" }));
  await until(() => calls.includes("done 101"));
  expect(await storedText()).toBe("0123456789");
  expect(calls[0]).toBe(`created ${url(1)}`);
  expect(service.sent.map(({ url: address, headers }) => `${address} ${headers.get("authorization")}`)).toEqual([
    "https://host.test/base/api/v2/uploads Bearer secret",
    `https://host.test/base${url(1)} Bearer secret`,
  ]);
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
