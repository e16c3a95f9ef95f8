import { afterEach, expect, test, vi } from "vitest";
import { getFileInfo } from "../../contract/operations/files.ts";
import { getProject, listProjects, removeProjectMember } from "../../contract/operations/projects.ts";
import { signIn } from "../../contract/operations/session.ts";
import { createGroup } from "../../contract/operations/teams.ts";
import { ApiError, parseRetryAfter } from "./api-error.ts";
import { buildUrl, createApi } from "./http.ts";
import { openLiveSocket } from "./live.ts";

const { call, setActingAccount, onAccountMismatch, onSignedOut } = createApi();

const group = { id: 5, name: "Albums", description: "", team_id: 1 };
const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), { headers: { "content-type": "application/json" }, ...init });

function mockFetch(respond: (url: string, init: RequestInit) => Response | Promise<Response>) {
  const fetch = vi.fn(async (url: string, init: RequestInit) => respond(url, init));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}
const catchApiError = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => "no error",
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

afterEach(() => vi.unstubAllGlobals());

test("a call sends method, URL, body, idempotency key and the cookie of this origin", async () => {
  const fetch = mockFetch(() => json({ object: "group", data: group }));
  const response = await call(createGroup, { body: { name: "Albums", team_id: 1 } }, { idempotencyKey: "k1" });
  expect(response.data).toEqual(group);
  const [url, init] = fetch.mock.calls[0]!;
  const headers = init.headers as Headers;
  expect(url).toBe("/v1/groups/create");
  expect(init).toMatchObject({ method: "POST", credentials: "same-origin", body: '{"name":"Albums","team_id":1}' });
  expect(headers.get("idempotency-key")).toBe("k1");
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.has("authorization")).toBe(false);
});

test("a call to another service uses its base URL and token, without cookies", async () => {
  const fetch = mockFetch(() => json({ object: "group", data: group }));
  await createApi({ baseUrl: "https://other.example", token: "tb_pat_x" }).call(createGroup, { body: { name: "A", team_id: 1 } });
  const [url, init] = fetch.mock.calls[0]!;
  expect(url).toBe("https://other.example/v1/groups/create");
  expect(init.credentials).toBe("omit");
  expect((init.headers as Headers).get("authorization")).toBe("Bearer tb_pat_x");
});

test.each(["https://other.example/service", "https://other.example"])("every address of a service at %s begins with it", async (baseUrl) => {
  vi.stubGlobal("location", { origin: "https://talkback.test", href: "https://talkback.test/x" });
  const sockets: string[] = [];
  vi.stubGlobal(
    "WebSocket",
    class {
      constructor(url: URL) {
        sockets.push(url.href);
      }
      send() {}
    },
  );
  const fetch = mockFetch(() => json({ object: "group", data: group }));
  const api = createApi({ baseUrl });
  await api.call(createGroup, { body: { name: "A", team_id: 1 } });
  expect(fetch.mock.lastCall![0]).toBe(`${baseUrl}/v1/groups/create`);
  openLiveSocket(api, { onOpen() {}, onFrame() {}, onClose() {} });
  expect(sockets).toEqual([`${baseUrl.replace("https:", "wss:")}/api/v2/live`]);
  await api.discover();
  expect(fetch.mock.lastCall![0]).toBe(`${baseUrl}/api/v2/service`);
  // The service does not describe itself, so it has no live channel.
  openLiveSocket(api, { onOpen() {}, onFrame() {}, onClose() {} });
  expect(sockets.length).toBe(1);
  expect([api.address("/api/v2/uploads"), api.serviceUrl(), api.storageName("draft")]).toEqual([`${baseUrl}/api/v2/uploads`, baseUrl, `draft:${baseUrl}/`]);
});

test("what the browser stores is named after the service, also where the page's origin forwards to it", () => {
  vi.stubGlobal("location", { origin: "https://talkback.test" });
  expect([createApi().storageName("draft"), createApi().serviceUrl()]).toEqual(["draft", "https://talkback.test"]);
  const forwarded = createApi({ upstream: "https://other.example" });
  expect([forwarded.storageName("draft"), forwarded.serviceUrl(), forwarded.address("/v1")]).toEqual([
    "draft:https://other.example/",
    "https://other.example",
    "https://talkback.test/v1",
  ]);
});

test("requests by cookie carry the account id, requests with a token do not", async () => {
  const fetch = mockFetch(() => json({ object: "group", data: group }));
  const sentAccountId = () => (fetch.mock.lastCall![1].headers as Headers).get("talkback-account");
  const create = (options = {}) => call(createGroup, { body: { name: "A", team_id: 1 } }, options);
  await create();
  expect(sentAccountId()).toBeNull();
  setActingAccount(7);
  await create();
  expect(sentAccountId()).toBe("7");
  await create({ accountId: 8 });
  expect(sentAccountId()).toBe("8");
  await create({ accountId: null });
  expect(sentAccountId()).toBeNull();
  await createApi({ token: "tb_pat_x" }).call(createGroup, { body: { name: "A", team_id: 1 } }, { accountId: 8 });
  expect(sentAccountId()).toBeNull();
  setActingAccount(null);
});

test("a response with an account mismatch notifies listeners", async () => {
  const listener = vi.fn();
  const unsubscribe = onAccountMismatch(listener);
  mockFetch(() => json({ object: "error", status: 412, title: "Precondition failed" }, { status: 412 }));
  expect(await catchApiError(call(listProjects, {}))).toMatchObject({ status: 412, isTemporary: false });
  expect(listener).toHaveBeenCalledTimes(1);
  unsubscribe();
  await catchApiError(call(listProjects, {}));
  expect(listener).toHaveBeenCalledTimes(1);
});

test("buildUrl fills path parameters and the query, and omits undefined values", () => {
  expect(buildUrl("/a/{id}/b/{name}", { id: 4, name: "x/y z" }, { cursor: undefined, limit: 200, q: "a&b" })).toBe("/a/4/b/x%2Fy%20z?limit=200&q=a%26b");
  expect(() => buildUrl("/a/{id}")).toThrow(TypeError);
});

test("an operation without a response body resolves to undefined", async () => {
  const fetch = mockFetch(() => new Response(null, { status: 204 }));
  await expect(call(removeProjectMember, { params: { project_id: 3, account_id: 7 } })).resolves.toBeUndefined();
  expect(fetch.mock.calls[0]![0]).toBe("/api/v2/projects/3/members/7");
});

test("unknown members of a response are preserved", async () => {
  mockFetch(() => json({ object: "group", data: { ...group, shiny: true }, more: 1 }));
  expect((await call(createGroup, { body: { name: "A", team_id: 1 } })).data).toEqual({ ...group, shiny: true });
});

test("an error response becomes an ApiError with its problem details and Retry-After", async () => {
  mockFetch(() =>
    json(
      {
        object: "error",
        status: 429,
        title: "Too many requests",
        detail: "Slow down.",
        request_id: "r1",
        errors: [{ path: "name", message: "must not be empty" }],
      },
      { status: 429, headers: { "retry-after": "30" } },
    ),
  );
  const error = await catchApiError(call(getProject, { body: { project_id: 3 } }));
  expect(error).toMatchObject({
    kind: "problem",
    status: 429,
    title: "Too many requests",
    detail: "Slow down.",
    requestId: "r1",
    retryAfter: 30,
    isTemporary: true,
    errors: [{ path: "name", message: "must not be empty" }],
  });
});

test("an HTML error page from a proxy becomes a problem too", async () => {
  mockFetch(() => new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }));
  expect(await catchApiError(call(getProject, { body: { project_id: 3 } }))).toMatchObject({
    kind: "problem",
    status: 502,
    title: "The service responded with HTTP status 502",
    isTemporary: true,
  });
});

test.each([
  ["text instead of JSON", () => new Response("hello")],
  ["another shape", () => json({ object: "project", data: { id: "three" } })],
  ["another object type", () => json({ object: "file", data: group })],
])("%s in a successful response is malformed", async (_, respond) => {
  mockFetch(respond);
  expect(await catchApiError(call(createGroup, { body: { name: "A", team_id: 1 } }))).toMatchObject({ kind: "malformed", status: 200, isTemporary: false });
});

test("a network error becomes offline", async () => {
  mockFetch(() => Promise.reject(new TypeError("Failed to fetch")));
  expect(await catchApiError(call(listProjects, {}))).toMatchObject({ kind: "offline", status: 0, isTemporary: true });
});

const neverRespond = (_url: string, init: RequestInit) =>
  new Promise<Response>((_resolve, reject) => {
    init.signal!.addEventListener("abort", () => reject(init.signal!.reason as Error));
  });

test("a response that does not arrive is a timeout", async () => {
  mockFetch(neverRespond);
  expect(await catchApiError(call(listProjects, {}, { timeoutMs: 20 }))).toMatchObject({ kind: "timeout", isTemporary: true });
});

test("a response body that stalls is a timeout", async () => {
  mockFetch((_, init) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"object":'));
        init.signal!.addEventListener("abort", () => controller.error(init.signal!.reason));
      },
    });
    return new Response(body);
  });
  expect(await catchApiError(call(listProjects, {}, { timeoutMs: 20 }))).toMatchObject({ kind: "timeout" });
});

test("an aborted call rejects with the caller's abort reason", async () => {
  mockFetch(neverRespond);
  const controller = new AbortController();
  const reason = new Error("left the view");
  setTimeout(() => controller.abort(reason), 5);
  await expect(call(listProjects, {}, { signal: controller.signal })).rejects.toBe(reason);
});

test("a lost session notifies listeners, a wrong password does not", async () => {
  const listener = vi.fn();
  const unsubscribe = onSignedOut(listener);
  mockFetch(() => json({ object: "error", status: 401, title: "Sign-in required" }, { status: 401 }));
  await catchApiError(call(signIn, { body: { login: "ana", password: "wrong" } }));
  expect(listener).not.toHaveBeenCalled();
  await catchApiError(call(listProjects, {}));
  expect(listener).toHaveBeenCalledTimes(1);
  unsubscribe();
  await catchApiError(call(listProjects, {}));
  expect(listener).toHaveBeenCalledTimes(1);
});

test("a wave with missing values is accepted, and the missing values count as silence", async () => {
  const common = {
    id: 7,
    name: "mix.wav",
    size: 9,
    url: "/a",
    compressed_file_url: null,
    account_id: 1,
    project_id: 3,
    file_team_id: 1,
    is_blind_drop: false,
    is_shared: false,
    status: null,
    transcoding_status: "transcoded",
  };
  const audioInfo = {
    object: "audio_file_info",
    annotations: "",
    audio_encoding: null,
    bitrate: "",
    bits_per_sample: 16,
    bpm: 0,
    duration: 2,
    key: null,
    number_of_chanels: 2,
    number_of_samples: 9,
    samplerate: 44_100,
    wave: [0.2, Number.NaN, 1],
  };
  mockFetch(() => json({ ai_tags: { bpm: 0, genres: [], instruments: [], moods: [], key: [] }, common, file_info: audioInfo }));
  const { file_info } = await call(getFileInfo, { body: { file_id: 7 } });
  expect(file_info.wave).toEqual([0.2, 0, 1]);
});

test("parseRetryAfter reads seconds and dates, and ignores invalid values", () => {
  const now = Date.parse("2026-11-20T10:00:00Z");
  expect(parseRetryAfter("30", now)).toBe(30);
  expect(parseRetryAfter("Fri, 20 Nov 2026 10:01:00 GMT", now)).toBe(60);
  expect(parseRetryAfter("Fri, 20 Nov 2026 09:00:00 GMT", now)).toBe(0);
  expect(parseRetryAfter("soon", now)).toBeUndefined();
  expect(parseRetryAfter(null, now)).toBeUndefined();
});
