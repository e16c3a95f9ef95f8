import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "../../contract/records.ts";
import { createClient } from "../app/create-client.ts";
import { ApiError } from "../api/api-error.ts";
import { applyReadMarker } from "./messages/read-state.ts";
import { patchProjects, projectQueries } from "./projects.ts";
import { invalidate, retryDelay, shouldRetry } from "./query-client.ts";

test("several events during a first load cause one refetch, after it", async () => {
  const client = createClient();
  const resolvers: ((value: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  const queryFn = vi.fn(({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise<string>((resolve) => resolvers.push(resolve));
  });
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: ["files", 7], queryFn }).subscribe(() => {}));
  for (let events = 0; events < 3; events += 1) invalidate(client, ["files"]);
  expect(queryFn).toHaveBeenCalledTimes(1);
  resolvers[0]!("old");
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  resolvers[1]!("new");
  await vi.waitFor(() => expect(client.queryClient.getQueryData(["files", 7])).toBe("new"));
  expect(client.queryClient.isFetching()).toBe(0);
  expect(queryFn).toHaveBeenCalledTimes(2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);

  // The next event finds nothing in flight and refetches at once.
  invalidate(client, ["files"]);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(3));
});

test("an event while a further page loads does not cancel it; everything is refetched after it", async () => {
  const client = createClient();
  const requests: { page: number; resolve(value: string): void; signal: AbortSignal }[] = [];
  const observer = new InfiniteQueryObserver(client.queryClient, {
    queryKey: ["log"],
    queryFn: ({ pageParam, signal }) => new Promise<string>((resolve) => requests.push({ page: pageParam, resolve, signal })),
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => pages.length + 1,
  });
  onTestFinished(observer.subscribe(() => {}));
  requests[0]!.resolve("first");
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toEqual(["first"]));
  void observer.fetchNextPage();
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  invalidate(client, ["log"]);
  requests[1]!.resolve("second");
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toEqual(["first", "second"]));
  expect(requests[1]!.signal.aborted).toBe(false);
  await vi.waitFor(() => expect(requests.map(({ page }) => page)).toEqual([1, 2, 1]));
});

test("a read marker that moves during a load of the projects is not undone by the older response", async () => {
  const client = createClient();
  const { queryKey } = projectQueries.all();
  const unread = { id: 1, last_read_message_id: 3, unread_count: 2 } as Project;
  const read = { ...unread, last_read_message_id: 5, unread_count: 0 };
  client.queryClient.setQueryData(queryKey, [unread]);
  const resolvers: ((projects: Project[]) => void)[] = [];
  const queryFn = () => new Promise<Project[]>((resolve) => resolvers.push(resolve));
  onTestFinished(new QueryObserver(client.queryClient, { queryKey, queryFn, staleTime: 0 }).subscribe(() => {}));
  expect(resolvers).toHaveLength(1);
  patchProjects(client, (projects) => applyReadMarker(projects, { project_id: 1, last_read_message_id: 5, unread_count: 0, mention_count: 0 }));
  await vi.waitFor(() => expect(resolvers).toHaveLength(2));
  resolvers[0]!([unread]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(client.queryClient.getQueryData(queryKey)).toMatchObject([read]);
  resolvers[1]!([read]);
  await vi.waitFor(() => expect(client.queryClient.isFetching()).toBe(0));
  expect(client.queryClient.getQueryData(queryKey)).toEqual([read]);
});

const problem = (status: number, extra: object = {}) => new ApiError({ kind: "problem", status, title: "Title", ...extra });
const offline = new ApiError({ kind: "offline", status: 0, title: "No" });

test("only temporary errors are retried, three times, after the requested delay", () => {
  expect(shouldRetry(0, offline)).toBe(true);
  expect(shouldRetry(2, problem(503))).toBe(true);
  expect(shouldRetry(3, offline)).toBe(false);
  expect(shouldRetry(0, problem(404))).toBe(false);
  expect(shouldRetry(0, new Error("an error of ours"))).toBe(false);
  expect([0, 1, 2].map((failures) => retryDelay(failures, offline))).toEqual([500, 1_000, 2_000]);
  expect(retryDelay(0, problem(429, { retryAfter: 7 }))).toBe(7_000);
  expect(retryDelay(0, problem(429, { retryAfter: 7_000 }))).toBe(30_000);
});
