import { QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Project } from "../../../contract/records.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../app/create-client.ts";
import { readerKeys } from "../../queries/messages/read-state.ts";
import { playlistKeys } from "../../queries/playlists/cache-updates.ts";
import { DELETED_PROJECTS_KEY, projectQueries } from "../../queries/projects.ts";
import { AGENT_TASKS_KEY } from "../../queries/agents/agent-keys.ts";
import { deliveryRulesKeys } from "../../queries/delivery-rules/cache-updates.ts";
import { metadataKeys } from "../../queries/metadata/cache-updates.ts";
import { DELETED_FILES_KEY } from "../../queries/file-lists/list-query.ts";
import { groupQueries } from "../../queries/teams.ts";
import { statusKeys } from "../../queries/statuses/cache-updates.ts";
import { handleEvent, handleSignal, type LiveContext } from "./event-handlers.ts";
import { invalidateTopic } from "./invalidate-topic.ts";

const { queryKey } = projectQueries.all();
const project = (unread: number, last: number) => ({ id: 1, unread_count: unread, last_message_id: last, last_read_message_id: 3 }) as Project;
const activity = (message: number) => ({ type: "project.activity", data: { project_id: 1, message_id: message, account_id: 2 } });

/** Sets up a cache whose list fetch the test resolves; the responses come from `responses` in turn. */
function setUp(responses: Project[]) {
  const client = createClient();
  const open: (() => void)[] = [];
  const queryFn = vi.fn(() => {
    const response = responses.shift() as Project;
    return new Promise<Project[]>((resolve) => open.push(() => resolve([response])));
  });
  const context: LiveContext = { client, accountId: 1, isViewingChat: () => false };
  return { client, open, queryFn, receive: (message: number) => handleSignal(context, activity(message), () => false) };
}
const unread = (client: Client) => client.queryClient.getQueryData<Project[]>(queryKey)?.[0]?.unread_count;

test("an event during a refetch is not undone by the older response", async () => {
  const { client, open, queryFn, receive } = setUp([project(0, 3), project(2, 5)]);
  client.queryClient.setQueryData<Project[]>(queryKey, [project(0, 3)]);
  const stop = new QueryObserver(client.queryClient, { queryKey, queryFn, staleTime: 0 }).subscribe(() => {});
  expect(queryFn).toHaveBeenCalledTimes(1);
  receive(5);
  expect(unread(client)).toBe(1);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  for (const resolve of open) resolve();
  await vi.waitFor(() => expect(unread(client)).toBe(2));
  expect(client.queryClient.isFetching()).toBe(0);
  stop();
});

test("a signal that playlists changed, or a project that one left, refetches the list of all playlists", async () => {
  const client = createClient();
  const queryFn = vi.fn(async () => []);
  client.queryClient.setQueryData(playlistKeys.list(null), []);
  onTestFinished(
    new QueryObserver(client.queryClient, { queryKey: playlistKeys.list(null), queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {}),
  );
  const context: LiveContext = { client, accountId: 1, isViewingChat: () => false };
  handleSignal(context, { type: "playlists.changed", data: { project_id: 1 } }, () => false);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(1));
  handleEvent(context, { topic: "account:1", seq: 1, type: "projects.changed", time: "2026-11-17T09:00:00.000Z", data: { project_id: 1 } });
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
});

test("a signal that agents' tasks changed refetches them on a page that follows no project", async () => {
  const client = createClient();
  const key = [...AGENT_TASKS_KEY, "agent", 7];
  const queryFn = vi.fn(async () => []);
  client.queryClient.setQueryData(key, []);
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: key, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {}));
  handleSignal({ client, accountId: 1, isViewingChat: () => false }, { type: "agent_tasks.changed", data: { project_id: 1 } }, () => false);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(1));
});

test("a read marker or a removed member is not undone by an older response of a refetch in flight", async () => {
  const client = createClient();
  const load = (key: readonly unknown[], before: object, now: object) => {
    const queryFn = vi.fn<() => Promise<object>>().mockResolvedValue(now).mockResolvedValueOnce(before);
    client.queryClient.setQueryData(key, before);
    onTestFinished(new QueryObserver(client.queryClient, { queryKey: key, queryFn, staleTime: 0 }).subscribe(() => {}));
  };
  const buildMark = (last_read_message_id: number) => ({ account_id: 2, last_read_message_id, moved_at: "2026-11-17T09:00:00.000Z" });
  const membersKey = projectQueries.members(1).queryKey;
  load(readerKeys.project(1), [buildMark(3)], [buildMark(5)]);
  load(membersKey, [{ id: 2 }, { id: 3 }], [{ id: 2 }]);
  const context: LiveContext = { client, accountId: 1, isViewingChat: () => false };
  handleSignal(context, { type: "reader.moved", data: { project_id: 1, ...buildMark(5) } }, () => true);
  const data = { project_id: 1, account_id: 3 };
  handleEvent(context, { topic: "project:1", seq: 1, type: "project.member_removed", time: "2026-11-17T09:00:00.000Z", data });
  await expect.poll(() => client.queryClient.isFetching()).toBe(0);
  expect(client.queryClient.getQueryData(readerKeys.project(1))).toEqual([buildMark(5)]);
  expect(client.queryClient.getQueryData(membersKey)).toEqual([{ id: 2 }]);
});

test("what a team has set up is refetched after missed events of the organization, as metadata and checks of files after those of a project", () => {
  const client = createClient();
  const keys = [statusKeys.team(1), metadataKeys.templates(1), metadataKeys.file(7), deliveryRulesKeys.team(1), deliveryRulesKeys.file(7)];
  const refetched = (topic: string) => {
    for (const key of keys) client.queryClient.setQueryData(key, {});
    invalidateTopic(client, topic);
    return keys.map((key) => client.queryClient.getQueryState(key)?.isInvalidated);
  };
  expect(refetched("organisation:1")).toEqual([true, true, true, true, true]);
  expect(refetched("project:1").filter((isRefetched, index) => [2, 4].includes(index) && isRefetched)).toHaveLength(2);
  expect(refetched("account:1")).toEqual([false, false, false, false, false]);
  client.queryClient.setQueryData(AGENT_TASKS_KEY, {});
  invalidateTopic(client, "project:1");
  expect(client.queryClient.getQueryState(AGENT_TASKS_KEY)?.isInvalidated).toBe(true);
});

test("what an account sees is refetched after its missed events, and what was deleted in a project after those of the project", () => {
  const client = createClient();
  const keys = [groupQueries.all().queryKey, DELETED_PROJECTS_KEY, playlistKeys.lists, AGENT_TASKS_KEY, DELETED_FILES_KEY];
  const refetched = (topic: string) => {
    for (const key of keys) client.queryClient.setQueryData(key, []);
    invalidateTopic(client, topic);
    return keys.map((key) => client.queryClient.getQueryState(key as readonly unknown[])?.isInvalidated);
  };
  expect(refetched("account:1")).toEqual([true, true, true, true, false]);
  expect(refetched("project:1")).toEqual([false, false, true, true, true]);
});

test("an event during the first load causes a refetch", async () => {
  const { client, open, queryFn, receive } = setUp([project(0, 3), project(1, 4)]);
  const stop = new QueryObserver(client.queryClient, { queryKey, queryFn }).subscribe(() => {});
  receive(4);
  open[0]?.();
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  open[1]?.();
  await vi.waitFor(() => expect(unread(client)).toBe(1));
  stop();
});
