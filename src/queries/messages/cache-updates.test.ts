import { InfiniteQueryObserver, type InfiniteData } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import type { Message } from "../../../contract/records.ts";
import { messageSearchKeys, patchSearchPages, patchSearchResults } from "./cache-updates.ts";

const message = (id: number, revision: number, changes: Partial<Message> = {}) => ({ id, revision, body: `m${id}`, ...changes }) as Message;
const pages = [{ data: [message(3, 2), message(2, 1)] }, { data: [message(1, 1)] }];

it("search results show newer revisions only", () => {
  expect(patchSearchPages(pages, message(1, 2, { body: "edited" }))[1]?.data).toEqual([message(1, 2, { body: "edited" })]);
  expect(patchSearchPages(pages, message(3, 2, { body: "late" }))).toBe(pages);
  expect(patchSearchPages(pages, message(9, 5))).toBe(pages);
});
it("search results remove deleted messages", () => {
  expect(patchSearchPages(pages, message(3, 3, { deleted: true }))[0]?.data).toEqual([message(2, 1)]);
});

describe("a search in flight does not undo an edit", () => {
  const queryKey = [...messageSearchKeys.project(7), { q: "m" }] as const;
  type Page = { data: Message[] };
  type SearchResults = InfiniteData<Page, number>;

  /** Starts a search whose responses the test controls; a first request is in flight at once. */
  function search(initial?: SearchResults) {
    const client = createClient();
    if (initial) client.queryClient.setQueryData<SearchResults>(queryKey, initial);
    const resolvers: ((page: Page) => void)[] = [];
    const queryFn = vi.fn(() => new Promise<Page>((resolve) => resolvers.push(resolve)));
    const observer = new InfiniteQueryObserver(client.queryClient, {
      queryKey,
      queryFn,
      staleTime: 0,
      initialPageParam: 0,
      getNextPageParam: (_last, all) => all.length,
    });
    onTestFinished(observer.subscribe(() => {}));
    return {
      client,
      observer,
      queryFn,
      /** Responds to the oldest open request. */
      async respond(...data: Message[]) {
        resolvers.shift()!({ data });
        await vi.waitFor(() => expect(client.queryClient.isFetching()).toBe(0));
      },
      bodies: () => client.queryClient.getQueryData<SearchResults>(queryKey)?.pages.map(({ data }) => data.map(({ body }) => body)),
    };
  }
  const edited = message(1, 2, { body: "edited", chat_id: 7 });

  it("during the first load", async () => {
    const { client, respond, bodies, queryFn } = search();
    patchSearchResults(client, edited);
    await respond(message(1, 1));
    await vi.waitFor(() => expect(bodies()).toEqual([["edited"]]));
    expect(queryFn).toHaveBeenCalledTimes(1);
  });

  it("during a reload", async () => {
    const { client, respond, bodies } = search({ pages: [{ data: [message(1, 1)] }], pageParams: [0] });
    patchSearchResults(client, edited);
    expect(bodies()).toEqual([["edited"]]);
    await respond(message(1, 1));
    await vi.waitFor(() => expect(bodies()).toEqual([["edited"]]));
  });

  it("while the next page loads", async () => {
    const { client, observer, respond, bodies, queryFn } = search();
    await respond(message(2, 1));
    void observer.fetchNextPage();
    await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
    patchSearchResults(client, edited);
    await respond(message(1, 1));
    await vi.waitFor(() => expect(bodies()).toEqual([["m2"], ["edited"]]));
    expect(queryFn).toHaveBeenCalledTimes(2);
  });
});
