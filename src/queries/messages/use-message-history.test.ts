import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { getCursors } from "../topic-cursors.ts";
import { PAGE_SIZE, type History } from "./history.ts";
import { buildMessage } from "./message.fixture.ts";
import { messageQueries } from "./use-message-history.ts";

afterEach(() => vi.unstubAllGlobals());

const LENGTH = PAGE_SIZE + 20;
const TOPIC = "project:1";

test("an event between two pages of a reload is requested again through the live connection", async () => {
  const client = new QueryClient();
  const cursors = getCursors(client);
  const all = Array.from({ length: LENGTH }, (_, index) => buildMessage(index + 1));
  const { queryKey } = messageQueries.history(1, "latest");
  client.setQueryData<History>(queryKey, { messages: all, hasMoreBefore: false, hasMoreAfter: false, completeThroughId: LENGTH });
  cursors.set(TOPIC, 10);
  const requestedAfterIds: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { after_id: after } = JSON.parse(body) as { after_id: number };
    requestedAfterIds.push(after);
    // An event arrived after the first page, so the second page is newer.
    if (after > 0) cursors.set(TOPIC, 11);
    const data = all.filter(({ id }) => id > after).slice(0, PAGE_SIZE);
    const page = { has_more_before: after > 0, has_more_after: data.at(-1)!.id < LENGTH, seq: after > 0 ? 11 : 10 };
    return Response.json({ object: "list", data, ...page });
  });
  const onMoved = vi.fn();
  cursors.onMoved(onMoved);
  await client.fetchQuery({ ...messageQueries.history(1, "latest"), staleTime: 0 });
  expect(requestedAfterIds).toEqual([0, PAGE_SIZE]);
  expect(client.getQueryData<History>(queryKey)?.messages).toHaveLength(LENGTH);
  expect(cursors.get(TOPIC)).toBe(10);
  expect(onMoved).toHaveBeenCalledExactlyOnceWith(TOPIC);
});
