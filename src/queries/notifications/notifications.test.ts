import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { ProjectNotificationSettings } from "../../../contract/notification-records.ts";
import { createClient } from "../../app/create-client.ts";
import type { Client } from "../../client/client.ts";
import { holdRequests, renderHook } from "../hook.fixture.ts";
import { applyFileWatch, applyUnreadCount, notificationKeys } from "./cache-updates.ts";
import {
  useNotificationSettings,
  useProjectNotificationSettings,
  useUpdateNotificationSettings,
  useUpdateProjectNotificationSettings,
} from "./use-settings.ts";

afterEach(() => vi.unstubAllGlobals());

const projectSettings = (project_id: number, muted: boolean): ProjectNotificationSettings => ({ project_id, muted, kinds: {} });

/** Mutes project 2 with these settings of projects loaded, and returns those that are cached afterwards. */
async function muteProject(loaded: ProjectNotificationSettings[] | undefined) {
  const client = createClient();
  onTestFinished(() => client.dispose());
  const { queryClient } = client;
  if (loaded) queryClient.setQueryData(notificationKeys.projectSettings, loaded);
  const requests = holdRequests();
  const muting = renderHook(client, () => useUpdateProjectNotificationSettings(vi.fn())).mutateAsync({ projectId: 2, changes: { muted: true } });
  await expect.poll(() => requests.bodies).toEqual([{ muted: true }]);
  requests.respond({ object: "project_notification_settings", data: projectSettings(2, true) });
  await muting;
  return queryClient.getQueryData(notificationKeys.projectSettings);
}

test("changed settings of a project replace its own in the list, and make no list of one project if none is loaded", async () => {
  expect(await muteProject([projectSettings(1, true), projectSettings(2, false)])).toEqual([projectSettings(1, true), projectSettings(2, true)]);
  expect(await muteProject(undefined)).toBeUndefined();
});

const watch = (watching: boolean) => ({ file_id: 7, project_id: 2, watching });
const channels = { app: true, push: true, mail: "digest" };
const account = { kinds: { mention: channels, reply: channels }, do_not_disturb: null, paused_until: null };

test("changes of the settings are sent one after another, all of them are shown meanwhile, and each refusal is reported", async () => {
  const client = createClient();
  onTestFinished(() => client.dispose());
  client.queryClient.setQueryData([...notificationKeys.settings, "account"], account);
  const requests = holdRequests();
  const onError = vi.fn();
  const shown = () => renderHook(client, useNotificationSettings).data;
  const { mutate } = renderHook(client, () => useUpdateNotificationSettings(onError));
  const [first, second] = [{ kinds: { mention: { app: false } } }, { kinds: { reply: { push: false } }, paused_until: "2026-11-28T08:00:00.000Z" }];
  mutate(first);
  mutate(second);
  const both = { mention: { ...channels, app: false }, reply: { ...channels, push: false } };
  expect(shown()).toEqual({ ...account, kinds: both, paused_until: second.paused_until });
  await expect.poll(() => requests.bodies).toEqual([first]);
  requests.respond({ title: "Busy", status: 409 }, 409);
  await expect.poll(() => requests.bodies).toEqual([first, second]);
  expect(onError).toHaveBeenCalledOnce();
  expect(shown()?.kinds).toEqual({ ...both, mention: channels });
});

test("changes of a project's settings are sent one after another and shown meanwhile; null returns a kind to the account's", async () => {
  const client = createClient();
  onTestFinished(() => client.dispose());
  client.queryClient.setQueryData(notificationKeys.projectSettings, [{ project_id: 2, muted: false, kinds: { comment: channels } }]);
  const requests = holdRequests();
  const { mutate } = renderHook(client, () => useUpdateProjectNotificationSettings(vi.fn()));
  mutate({ projectId: 2, changes: { muted: true } });
  mutate({ projectId: 2, changes: { kinds: { comment: null, reply: { app: false } } } });
  mutate({ projectId: 3, changes: { muted: true } });
  expect(renderHook(client, useProjectNotificationSettings).data).toEqual([
    { project_id: 2, muted: true, kinds: { reply: { app: false } } },
    { project_id: 3, muted: true, kinds: {} },
  ]);
  await expect.poll(() => requests.bodies).toEqual([{ muted: true }]);
});

test.each([
  ["the number of unread notifications", notificationKeys.unread, (client: Client) => applyUnreadCount(client, 2), 1, 2],
  ["whether a file is watched", notificationKeys.watch(7), (client: Client) => applyFileWatch(client, watch(true)), watch(false), watch(true)],
])("%s of an event is not replaced by a load that began before it", async (_name, queryKey, applyEvent, earlier, later) => {
  const client = createClient();
  onTestFinished(() => client.dispose());
  const loads: ((data: unknown) => void)[] = [];
  const queryFn = () => new Promise((resolve) => loads.push(resolve));
  onTestFinished(new QueryObserver(client.queryClient, { queryKey, queryFn }).subscribe(() => {}));
  applyEvent(client);
  loads[0]!(earlier);
  await expect.poll(() => loads).toHaveLength(2);
  loads[1]!(later);
  await expect.poll(() => client.queryClient.isFetching()).toBe(0);
  expect(client.queryClient.getQueryData(queryKey)).toEqual(later);
});
