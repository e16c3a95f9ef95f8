import { InfiniteQueryObserver, QueryClient, type InfiniteData } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { Message } from "../../../contract/records.ts";
import { foundKeys } from "./keys.ts";
import { putFound, withFound } from "./put.ts";

const message = (id: number, revision: number, more: Partial<Message> = {}) => ({ id, revision, body: `m${id}`, ...more }) as Message;
const pages = [{ data: [message(3, 2), message(2, 1)] }, { data: [message(1, 1)] }];

it("shows what was edited, and only what is newer", () => {
  expect(withFound(pages, message(1, 2, { body: "edited" }))[1]?.data).toEqual([message(1, 2, { body: "edited" })]);
  expect(withFound(pages, message(3, 2, { body: "late" }))).toBe(pages);
  expect(withFound(pages, message(9, 5))).toBe(pages);
});
it("lets go of what was deleted", () => {
  expect(withFound(pages, message(3, 3, { deleted: true }))[0]?.data).toEqual([message(2, 1)]);
});

describe("news that comes while a search is under way is not undone by its older answer", () => {
  const queryKey = [...foundKeys.project(7), { q: "m" }] as const;
  type Page = { data: Message[] };

  it.each([
    ["at the first load", false],
    ["when it is loaded again", true],
  ])("%s", async (_when, wasLoaded) => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    if (wasLoaded) client.setQueryData<InfiniteData<Page>>(queryKey, { pages: [{ data: [message(1, 1)] }], pageParams: [undefined] });
    const answers = [message(1, 1), message(1, 2, { body: "edited" })];
    const waiting: (() => void)[] = [];
    const queryFn = vi.fn(() => {
      const answer = { data: [answers.shift()!] };
      return new Promise<Page>((resolve) => waiting.push(() => resolve(answer)));
    });
    const observer = new InfiniteQueryObserver(client, { queryKey, queryFn, initialPageParam: undefined, getNextPageParam: () => undefined });
    const stop = observer.subscribe(() => {});
    expect(queryFn).toHaveBeenCalledTimes(1);
    putFound(client, message(1, 2, { body: "edited", chat_id: 7 }));
    waiting[0]!();
    await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
    waiting[1]!();
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    expect(client.getQueryData<InfiniteData<Page>>(queryKey)?.pages[0]?.data[0]?.body).toBe("edited");
    stop();
  });
});
