import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { type WindowStart, PAGE_SIZE, type History } from "./history.ts";
import { buildMessage } from "./message.fixture.ts";
import { upsertCachedMessageInOrder } from "./cache-updates.ts";
import { loadPage, messageQueries } from "./use-message-history.ts";

afterEach(() => vi.unstubAllGlobals());

const LENGTH = PAGE_SIZE + 20;
const TOPIC = "project:1";

test("an event between two pages of a reload is requested again through the live connection", async () => {
  const client = createClient();
  const cursors = client.queryState.cursors;
  const all = Array.from({ length: LENGTH }, (_, index) => buildMessage(index + 1));
  const { queryKey } = messageQueries.history(1, "latest");
  client.queryClient.setQueryData<History>(queryKey, { messages: all, hasMoreBefore: false, hasMoreAfter: false, completeThroughId: LENGTH });
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
  await client.queryClient.fetchQuery({ ...messageQueries.history(1, "latest"), staleTime: 0 });
  expect(requestedAfterIds).toEqual([0, PAGE_SIZE]);
  expect(client.queryClient.getQueryData<History>(queryKey)?.messages).toHaveLength(LENGTH);
  expect(cursors.get(TOPIC)).toBe(10);
  expect(onMoved).toHaveBeenCalledExactlyOnceWith(TOPIC);
});

/** A service with messages 1 to `count`; the test decides when it responds to each request. */
function stubService(count: number) {
  const service = { count, aroundCount: count, requests: [] as { query: Record<string, number>; respond(status: number): void }[] };
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const query = JSON.parse(body) as { before_id?: number; after_id?: number; around_id?: number };
    const status = await new Promise<number>((resolve) => service.requests.push({ query, respond: resolve }));
    if (status !== 200) return Response.json({ object: "error", status, title: "Busy" }, { status });
    const last = Math.min(
      service.count,
      query.before_id ? query.before_id - 1 : query.after_id !== undefined ? query.after_id + PAGE_SIZE : query.around_id ? service.aroundCount : service.count,
    );
    const first = Math.max(1, last - PAGE_SIZE + 1, (query.after_id ?? 0) + 1);
    const data = Array.from({ length: last - first + 1 }, (_message, index) => buildMessage(first + index));
    return Response.json({ object: "list", data, has_more_before: first > 1, has_more_after: last < service.count, seq: 1 });
  });
  return service;
}

/** Opens a window of messages `first` to `last`; `range` returns the first and last message that it has now. */
function openWindow(first: number, last: number, windowStart: WindowStart = "latest") {
  const client = createClient();
  const { queryKey } = messageQueries.history(1, windowStart);
  const messages = Array.from({ length: last - first + 1 }, (_, index) => buildMessage(first + index));
  client.queryClient.setQueryData<History>(queryKey, { messages, hasMoreBefore: true, hasMoreAfter: false, completeThroughId: last });
  const range = () => {
    const ids = client.queryClient.getQueryData<History>(queryKey)!.messages.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => ids[0]! + index));
    return [ids[0], ids.at(-1)];
  };
  const history = () => client.queryClient.getQueryData<History>(queryKey);
  return { client, queryKey, history, range, reload: () => client.queryClient.fetchQuery({ ...messageQueries.history(1, "latest"), staleTime: 0 }) };
}

/** Responds to the next request with these members. */
const respondTo = async (service: ReturnType<typeof stubService>, members: Record<string, number>, status = 200) => {
  const request = await vi.waitFor(() => {
    const index = service.requests.findIndex(({ query }) => Object.entries(members).every(([name, value]) => query[name] === value));
    expect(index).toBeGreaterThanOrEqual(0);
    return service.requests.splice(index, 1)[0]!;
  });
  request.respond(status);
};

test("older pages that arrive during a reload stay in the window, also when the reload needs a second attempt", async () => {
  const service = stubService(1_000);
  const { client, range, reload } = openWindow(801, 1_000);
  const reloaded = reload();
  const addOlder = async (firstId: number) => {
    const older = loadPage(client, 1, "latest", "older", firstId);
    await respondTo(service, { before_id: firstId });
    await older;
  };
  await addOlder(801);
  await respondTo(service, { after_id: 800 });
  await respondTo(service, { after_id: 900 }, 503);
  await addOlder(701);
  expect(range()).toEqual([601, 1_000]);
  for (const afterId of [600, 700, 800]) await respondTo(service, { after_id: afterId });
  await addOlder(601);
  await respondTo(service, { after_id: 900 });
  await reloaded;
  expect(range()).toEqual([501, 1_000]);
});

test("when a short window is loaded again and newer messages have moved its first page, it keeps its start and reaches the end", async () => {
  const service = stubService(1_000);
  const { client, range, reload, history } = openWindow(901, 1_000);
  const reloaded = reload();
  const older = loadPage(client, 1, "latest", "older", 901);
  await respondTo(service, { before_id: 901 });
  await older;
  service.count = 1_030;
  await respondTo(service, {});
  await respondTo(service, { after_id: 900 });
  await reloaded;
  expect(range()).toEqual([801, 1_030]);
  expect(history()).toMatchObject({ hasMoreBefore: true, hasMoreAfter: false, completeThroughId: 1_030 });
});

test("a window that is patched while it waits to be loaded again is still loaded again, and so is one whose reload was canceled", async () => {
  const service = stubService(1_030);
  const { client, range, queryKey } = openWindow(901, 1_000);
  void client.queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  upsertCachedMessageInOrder(client, buildMessage(1_031, { chat_id: 1 }));
  expect(client.queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);

  const leave = new QueryObserver(client.queryClient, messageQueries.history(1, "latest")).subscribe(() => {});
  await vi.waitFor(() => expect(service.requests).toHaveLength(1));
  upsertCachedMessageInOrder(client, buildMessage(1_032, { chat_id: 1 }));
  leave();
  await vi.waitFor(() => expect(client.queryClient.getQueryState(queryKey)).toMatchObject({ fetchStatus: "idle", isInvalidated: true }));

  service.requests.length = 0;
  service.count = 1_032;
  onTestFinished(new QueryObserver(client.queryClient, messageQueries.history(1, "latest")).subscribe(() => {}));
  for (const afterId of [900, 1_000]) await respondTo(service, { after_id: afterId });
  await vi.waitFor(() => expect(client.queryClient.isFetching()).toBe(0));
  expect(range()).toEqual([901, 1_032]);
});

test("a short window around a message keeps its end when it is loaded again", async () => {
  const service = stubService(60);
  const { client, range, queryKey, history } = openWindow(1, 60, "around:5");
  const reloaded = client.queryClient.fetchQuery({ ...messageQueries.history(1, "around:5"), staleTime: 0 });
  service.aroundCount = 54;
  await respondTo(service, { around_id: 5 });
  await respondTo(service, { after_id: 0 });
  await reloaded;
  expect(range()).toEqual([1, 60]);
  expect(history()).toMatchObject({ hasMoreAfter: false, completeThroughId: 60 });
  expect(client.queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false);
});
