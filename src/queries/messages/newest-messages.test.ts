import { afterEach, describe, expect, test, vi } from "vitest";
import { getSession } from "../../../contract/operations/session.ts";
import { ApiError } from "../../api/api-error.ts";
import { createApi } from "../../api/http.ts";
import { createQueryState } from "../query-state.ts";
import { buildMessage } from "./message.fixture.ts";
import { fetchNewestMessages, isQuoteLoaded, mergeNewest, pollInterval, withQuotes } from "./newest-messages.ts";

const messages = (...ids: number[]) => ids.map((id) => buildMessage(id));
const idsAfter = (loaded: number[], page: number[]) => mergeNewest(messages(...loaded), messages(...page)).map(({ id }) => id);
const problem = (status: number, retryAfter?: number) => new ApiError({ kind: "problem", status, title: "", ...(retryAfter ? { retryAfter } : {}) });

afterEach(() => vi.unstubAllGlobals());

describe("a poll", () => {
  test("keeps what is older than the page, whose beginning moves on, however many messages the page has", () => {
    expect(idsAfter([], [1, 2])).toEqual([1, 2]);
    expect(idsAfter([1, 2, 3], [2, 3, 4])).toEqual([1, 2, 3, 4]);
    expect(idsAfter([1, 2, 3, 4], [3, 5])).toEqual([1, 2, 3, 5]);
  });

  test("removes messages that are no longer among those of the page", () => {
    expect(idsAfter([1, 2, 3, 4], [2, 4, 5])).toEqual([1, 2, 4, 5]);
    expect(idsAfter([1, 2], [])).toEqual([]);
  });

  test("that begins after all loaded messages starts anew, because of the gap", () => expect(idsAfter([1, 2, 3], [7, 8, 9])).toEqual([7, 8, 9]));
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
  const tenThousand = { messages: Array.from({ length: 10_000 }, (_, index) => buildMessage(index + 1)), unreadable: 0 };
  expect(pollInterval({ ...loaded, data: tenThousand }, "active")).toBe(50_000);
  const failing = (seconds: number, status = 503, retryAfter?: number) =>
    pollInterval({ ...loaded, error: problem(status, retryAfter), errorUpdatedAt: 1_000_000 + seconds * 1_000 }, "active");
  expect([failing(5), failing(40), failing(3_600), failing(5, 429, 30)]).toEqual([5_000, 40_000, 300_000, 30_000]);
  for (const status of [401, 403, 404]) expect(failing(5, status)).toBe(false);
  expect(pollInterval({ ...loaded, dataUpdatedAt: 0, error: problem(503), errorUpdatedAt: 1 }, "active")).toBe(false);
});

describe("requests", () => {
  /** Responds with messages if `accepts` is true for the body, else with 400. */
  const startService = (accepts: (body: { project_id: number; limit?: number }) => boolean) => {
    const bodies: object[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const body = JSON.parse(String(init.body)) as { project_id: number; limit?: number };
      expect(url).toBe("https://media.example/service/v1/account/projects/chat_history");
      bodies.push(body);
      return accepts(body) ? Response.json({ object: "list", data: messages(2, 1) }) : new Response("invalid", { status: 400 });
    });
    const api = createApi({ baseUrl: "https://media.example/service", token: "t" });
    // A service that does not describe itself.
    api.service.set(null);
    return { client: { api, queryState: createQueryState() }, bodies };
  };

  test("have the documented members only", async () => {
    const { client, bodies } = startService(() => true);
    const newest = await fetchNewestMessages(client, 5, undefined);
    expect(newest.messages.map(({ id }) => id)).toEqual([1, 2]);
    await fetchNewestMessages(client, 5, newest);
    expect(bodies).toEqual([200, 200].map((limit) => ({ project_id: 5, limit })));
  });

  test("leave the number of messages to a service that refuses it once, in every chat", async () => {
    const { client, bodies } = startService(({ limit }) => limit === undefined);
    await fetchNewestMessages(client, 5, undefined);
    await fetchNewestMessages(client, 6, undefined);
    expect(bodies).toEqual([{ project_id: 5, limit: 200 }, { project_id: 5 }, { project_id: 6 }]);
  });

  test("of a project that the service refuses say nothing about the number", async () => {
    const { client, bodies } = startService(({ project_id }) => project_id === 5);
    await expect(fetchNewestMessages(client, 9, undefined)).rejects.toMatchObject({ status: 400 });
    await fetchNewestMessages(client, 5, undefined);
    expect(bodies).toEqual([{ project_id: 9, limit: 200 }, { project_id: 9 }, { project_id: 5, limit: 200 }]);
  });

  test("end after one attempt with an error that no number changes", async () => {
    const { client } = startService(() => true);
    const fetch = vi.fn(async () => new Response("", { status: 404 }));
    vi.stubGlobal("fetch", fetch);
    await expect(fetchNewestMessages(client, 5, undefined)).rejects.toMatchObject({ status: 404 });
    await expect(client.api.call(getSession, {})).rejects.toMatchObject({ kind: "not-offered" });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
