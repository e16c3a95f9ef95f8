import { afterEach, describe, expect, test, vi } from "vitest";
import { getSession } from "../../../contract/operations/session.ts";
import { ApiError } from "../../api/api-error.ts";
import { createApi } from "../../api/http.ts";
import { buildMessage } from "./message.fixture.ts";
import { fetchNewestMessages, isQuoteLoaded, mergeNewest, pollInterval, withQuotes } from "./newest-messages.ts";

const messages = (...ids: number[]) => ids.map((id) => buildMessage(id));
const idsAfter = (loaded: number[], pageLength: number, page: number[]) =>
  mergeNewest({ messages: messages(...loaded), pageLength }, messages(...page)).messages.map(({ id }) => id);
const problem = (status: number, retryAfter?: number) => new ApiError({ kind: "problem", status, title: "", ...(retryAfter ? { retryAfter } : {}) });

afterEach(() => vi.unstubAllGlobals());

describe("a poll", () => {
  test("keeps what is older than the page, whose end moves on", () => {
    expect(mergeNewest(undefined, messages(1, 2))).toMatchObject({ pageLength: 2, messages: [{ id: 1 }, { id: 2 }] });
    expect(idsAfter([1, 2, 3], 3, [2, 3, 4])).toEqual([1, 2, 3, 4]);
    expect(idsAfter([1, 2, 3, 4], 3, [3, 4, 5])).toEqual([1, 2, 3, 4, 5]);
  });

  test("removes messages that are no longer there", () => {
    expect(idsAfter([1, 2, 3, 4], 3, [2, 4, 5])).toEqual([1, 2, 4, 5]);
    expect(idsAfter([1, 2, 3], 3, [2, 3])).toEqual([2, 3]);
    expect(idsAfter([1, 2], 2, [])).toEqual([]);
  });

  test("that begins after all loaded messages starts anew, because of the gap", () => expect(idsAfter([1, 2, 3], 3, [7, 8, 9])).toEqual([7, 8, 9]));
});

describe("replies", () => {
  const reply = (changes: object) => buildMessage(3, { parent_message_id: 1, parent_chat_id: 1, parent_account_id: 2, ...changes });
  const quoteOf = (changes: object) => withQuotes([buildMessage(1, { body: "First" }), reply(changes)])[1]!.parent;

  test("quote their parent if it is loaded", () => {
    expect(quoteOf({})).toMatchObject({ id: 1, account_id: 1, excerpt: "First" });
    expect(quoteOf({ parent_chat_id: null })).toMatchObject({ excerpt: "First" });
  });

  test.each([[{ parent_message_id: 2 }], [{ parent_chat_id: 9 }]])("with %j say that it is not loaded", (changes) => {
    const quote = quoteOf(changes)!;
    expect([isQuoteLoaded(quote), quote.account_id, quote.excerpt]).toEqual([false, 2, ""]);
    expect(isQuoteLoaded(quoteOf({})!)).toBe(true);
  });

  test("keep the quote of a service that sends it, and other messages stay as they are", () => {
    const parent = { ...quoteOf({})!, excerpt: "As it is now" };
    expect(quoteOf({ parent })).toBe(parent);
    const [message] = messages(5);
    expect(withQuotes([message!])[0]).toBe(message);
  });
});

test("polls slow down on a hidden page and while the service fails, and stop after a lasting error", () => {
  const loaded = { error: null, dataUpdatedAt: 1_000_000, errorUpdatedAt: 0 };
  expect((["active", "visible", "hidden"] as const).map((visibility) => pollInterval(loaded, visibility))).toEqual([5_000, 15_000, 60_000]);
  const tenThousand = { messages: [], pageLength: 10_000, unreadable: 0, sizeIndex: 0 };
  expect(pollInterval({ ...loaded, data: tenThousand }, "active")).toBe(50_000);
  const failing = (seconds: number, status = 503, retryAfter?: number) =>
    pollInterval({ ...loaded, error: problem(status, retryAfter), errorUpdatedAt: 1_000_000 + seconds * 1_000 }, "active");
  expect([failing(5), failing(40), failing(3_600), failing(5, 429, 30)]).toEqual([5_000, 40_000, 300_000, 30_000]);
  for (const status of [401, 403, 404]) expect(failing(5, status)).toBe(false);
  expect(pollInterval({ ...loaded, dataUpdatedAt: 0, error: problem(503), errorUpdatedAt: 1 }, "active")).toBe(false);
});

describe("requests", () => {
  /** Responds with messages to limits up to `maxLimit`, or to requests without one. */
  const startService = (maxLimit: number) => {
    const requests: [string, unknown][] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const body = JSON.parse(String(init.body)) as { limit?: number };
      requests.push([url, body]);
      if ((body.limit ?? 0) > maxLimit) return new Response("limit too large", { status: 400 });
      return Response.json({ object: "list", data: messages(2, 1) });
    });
    const api = createApi({ baseUrl: "https://media.example/service", token: "t" });
    // A service that does not describe itself.
    api.service.set(null);
    return { api, requests };
  };
  const url = "https://media.example/service/v1/account/projects/chat_history";

  test("have the documented members only, and ask for the most messages that the service accepts", async () => {
    const { api, requests } = startService(100);
    const first = await fetchNewestMessages(api, 5, undefined);
    expect(first.messages.map(({ id }) => id)).toEqual([1, 2]);
    await fetchNewestMessages(api, 5, first);
    expect(requests).toEqual([200, 100, 100].map((limit) => [url, { project_id: 5, limit }]));
  });

  test("leave the limit out if the service accepts none", async () => {
    const { api, requests } = startService(0);
    await fetchNewestMessages(api, 5, undefined);
    expect(requests.map(([, body]) => body)).toEqual([
      { project_id: 5, limit: 200 },
      { project_id: 5, limit: 100 },
      { project_id: 5, limit: 50 },
      { project_id: 5 },
    ]);
  });

  test("end with an error that no limit changes, after one attempt", async () => {
    const { api } = startService(200);
    const fetch = vi.fn(async () => new Response("", { status: 404 }));
    vi.stubGlobal("fetch", fetch);
    await expect(fetchNewestMessages(api, 5, undefined)).rejects.toMatchObject({ status: 404 });
    expect(fetch).toHaveBeenCalledTimes(1);
    await expect(api.call(getSession, {})).rejects.toMatchObject({ kind: "not-offered" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
