import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chatHistory, sendMessage } from "../../contract/operations/chat.ts";
import { getFileInfo } from "../../contract/operations/files.ts";
import { getService, listSessions } from "../../contract/operations/session.ts";
import { listTasks } from "../../contract/operations/tasks.ts";
import { createWebhookEndpoint, deleteWebhookEndpoint, listWebhookEndpoints } from "../../contract/operations/webhooks.ts";
import { createApi } from "./http.ts";

const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("location", { origin: "https://page.test", href: "https://page.test/" });
});
afterEach(() => {
  vi.unstubAllGlobals();
  fetchMock.mockReset();
});

const description = { name: "Talkback", version: "1.2.3", features: ["chat", "files"], limits: {}, setup_required: false };
const described = () => Response.json({ object: "service", data: description });
const foreign = (token?: string) => createApi({ baseUrl: "https://other.test", token });
const sentToken = (call: number) => new Headers(fetchMock.mock.calls[call]![1].headers).get("authorization");

test("a service that describes itself offers the operations of its features and the documented ones", async () => {
  fetchMock.mockImplementation(async () => described());
  const api = foreign();
  expect(api.service.get()).toBeUndefined();
  expect(api.offers(listTasks)).toBe(true);
  expect(await api.discover()).toEqual(description);
  expect([sendMessage, getFileInfo, createWebhookEndpoint, getService].map(api.offers)).toEqual([true, true, true, true]);
  expect([listTasks, listWebhookEndpoints].map(api.offers)).toEqual([false, false]);
});

describe.each<[string, () => Response]>([
  ["404", () => new Response("", { status: 404 })],
  ["405", () => new Response("", { status: 405 })],
  ["501", () => new Response("", { status: 501 })],
  ["401", () => new Response("", { status: 401 })],
  ["a page", () => new Response("<!doctype html>")],
  ["other JSON", () => Response.json({ object: "service", data: { name: 1 } })],
  ["null", () => Response.json(null)],
])("a service that responds with %s", (_, respond) => {
  test("has the four documented operations, and is asked once", async () => {
    fetchMock.mockImplementation(async () => respond());
    const api = foreign();
    expect([await api.discover(), await api.discover()]).toEqual([null, null]);
    expect(fetchMock).toHaveBeenCalledTimes(1);
    expect([chatHistory, getFileInfo, createWebhookEndpoint].map(api.offers)).toEqual([true, true, true]);
    expect([sendMessage, listWebhookEndpoints, deleteWebhookEndpoint, getService].map(api.offers)).toEqual([false, false, false, false]);
  });
});

test("an operation that is not offered throws without a request", async () => {
  fetchMock.mockImplementation(async () => new Response("", { status: 404 }));
  const api = foreign();
  await api.discover();
  await expect(api.call(listTasks, {})).rejects.toMatchObject({ kind: "not-offered", failureKind: "refused", isTemporary: false });
  expect(fetchMock).toHaveBeenCalledTimes(1);
});

test.each([429, 503])("status %s of every operation says nothing about what is offered", async (status) => {
  fetchMock.mockImplementation(async () => new Response("", { status }));
  const api = foreign();
  await expect(api.discover()).rejects.toMatchObject({ kind: "problem", status });
  expect(api.service.get()).toBeUndefined();
});

test.each([500, 504])("a service with status %s for its description alone has the documented operations, except that of the page", async (status) => {
  fetchMock.mockImplementation(async (url) => new Response("", { status: url.endsWith("/v1/files/get_info") ? 401 : status }));
  expect(await foreign("secret").discover()).toBeNull();
  expect(JSON.parse(String(fetchMock.mock.lastCall![1].body))).toEqual({ file_id: 0 });
  await expect(createApi().discover()).rejects.toMatchObject({ status });
});

test.each<[string, () => Response]>([
  ["a page", () => new Response("<h1>Back soon</h1>")],
  ["403", () => new Response("", { status: 403 })],
  ["404", () => new Response("", { status: 404 })],
])("a service that has described itself keeps its operations when a proxy responds with %s", async (_, respond) => {
  fetchMock.mockImplementation(async () => described());
  const api = createApi();
  await api.discover();
  fetchMock.mockImplementation(async () => respond());
  await expect(api.discover()).rejects.toMatchObject({ failureKind: "retry" });
  expect(api.offers(sendMessage)).toBe(true);
  // The same holds on a page of somebody who was signed in before.
  const next = createApi();
  next.expectDescription();
  await expect(next.discover()).rejects.toThrow();
  expect(next.offers(listTasks)).toBe(true);
});

test("the features of the page before decide what is shown until the service has described itself", async () => {
  fetchMock.mockImplementation(async () => described());
  const api = createApi();
  api.expectDescription(["tasks"]);
  expect([api.hasFeature("tasks"), api.offers(listTasks), api.hasFeature("files"), api.offers(sendMessage)]).toEqual([true, true, false, false]);
  expect(fetchMock).not.toHaveBeenCalled();
  await api.discover();
  expect([api.hasFeature("tasks"), api.offers(listTasks), api.hasFeature("files"), api.offers(sendMessage)]).toEqual([false, false, true, true]);
});

test("a call of what the page before lacked waits for the description, and is refused only if the service lacks it", async () => {
  const responses = Promise.withResolvers<void>();
  fetchMock.mockImplementation(async (url) => {
    await responses.promise;
    return url.endsWith("/service") ? described() : new Response("", { status: 400 });
  });
  const api = createApi();
  api.expectDescription([]);
  const results = Promise.allSettled([api.discover(), api.call(sendMessage, { body: { project_id: 1, body: "Hi" } }), api.call(listTasks, {})]);
  responses.resolve();
  const reason = { kind: "not-offered" };
  expect(await results).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { status: 400 } }, { status: "rejected", reason }]);
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

test("a call of what the page before lacked fails for now while the service does not describe itself", async () => {
  fetchMock.mockImplementation(async () => new Response("", { status: 503 }));
  const api = createApi();
  api.expectDescription([]);
  await expect(api.call(sendMessage, { body: { project_id: 1, body: "Hi" } })).rejects.toMatchObject({ status: 503, failureKind: "wait" });
});

test("only the operation that was refused, or another token, ends the notice", async () => {
  const api = foreign("secret");
  fetchMock.mockImplementation(async (url) =>
    url.endsWith("webhook-endpoints") ? new Response("", { status: 401 }) : Response.json({ object: "list", data: [] }),
  );
  await api.call(createWebhookEndpoint, { body: { url: "https://tools.example", event_types: ["file.uploaded"] } }).catch(() => undefined);
  await api.call(chatHistory, { body: { project_id: 1 } });
  expect(api.isTokenRefused.get()).toBe(true);
});

test("a network error says nothing about what is offered either, and the next attempt asks again", async () => {
  fetchMock.mockRejectedValue(new TypeError("failed"));
  const api = foreign();
  await expect(api.discover()).rejects.toMatchObject({ kind: "offline" });
  fetchMock.mockImplementation(async () => described());
  expect(await api.discover()).toEqual(description);
});

test("a server whose response this page may not read has the documented operations", async () => {
  fetchMock.mockImplementation(async (_, { mode }) => {
    if (mode !== "no-cors") throw new TypeError("blocked by CORS");
    return new Response("");
  });
  expect(await foreign().discover()).toBeNull();
  // On the page's own origin nothing is blocked, so the server is down.
  await expect(createApi().discover()).rejects.toMatchObject({ kind: "offline" });
});

test("what needs a session is not offered with a token, which no service accepts for it", async () => {
  fetchMock.mockImplementation(async () => described());
  expect([createApi().offers(listSessions), foreign("secret").offers(listSessions)]).toEqual([true, false]);
  expect([createApi().hasFeature("sessions"), foreign("secret").hasFeature("sessions")]).toEqual([true, false]);
  await expect(foreign("secret").call(listSessions, {})).rejects.toMatchObject({ kind: "not-offered" });
  expect(fetchMock).not.toHaveBeenCalled();
});

test("a refused token is known until another one is set", async () => {
  fetchMock.mockImplementation(async () => new Response("", { status: 401 }));
  const api = foreign("old");
  await api.call(chatHistory, { body: { project_id: 1 } }).catch(() => undefined);
  expect(api.isTokenRefused.get()).toBe(true);
  api.setToken("new");
  expect(api.isTokenRefused.get()).toBe(false);
  fetchMock.mockImplementation(async () => Response.json({ object: "list", data: [] }));
  await api.call(chatHistory, { body: { project_id: 1 } });
  expect([sentToken(1), api.isTokenRefused.get()]).toEqual(["Bearer new", false]);
});

test("the token is sent only to a service that refuses to describe itself without it", async () => {
  fetchMock.mockImplementation(async () => described());
  await foreign("secret").discover();
  expect([fetchMock.mock.calls.length, sentToken(0)]).toEqual([1, null]);
  fetchMock
    .mockReset()
    .mockImplementation(async (_, { headers }) => (new Headers(headers).has("authorization") ? described() : new Response("", { status: 401 })));
  expect(await foreign("secret").discover()).toEqual(description);
  expect([sentToken(0), sentToken(1)]).toEqual([null, "Bearer secret"]);
});
