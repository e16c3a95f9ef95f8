import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { ProjectNotificationSettings } from "../../../contract/notification-records.ts";
import { createClient } from "../../app/create-client.ts";
import { holdRequests, renderHook } from "../hook.fixture.ts";
import { applyUnreadCount, notificationKeys } from "./cache-updates.ts";
import { useUpdateNotificationSettings, useUpdateProjectNotificationSettings } from "./use-settings.ts";

afterEach(() => vi.unstubAllGlobals());

const projectSettings = (project_id: number, muted: boolean): ProjectNotificationSettings => ({ project_id, muted, kinds: {} });

/** Mutes project 2 with these settings of projects loaded, and returns those that are cached afterwards. */
async function muteProject(loaded: ProjectNotificationSettings[] | undefined) {
  const client = createClient();
  onTestFinished(() => client.dispose());
  const { queryClient } = client;
  if (loaded) queryClient.setQueryData(notificationKeys.projectSettings, loaded);
  const requests = holdRequests();
  const muting = renderHook(client, useUpdateProjectNotificationSettings).mutateAsync({ projectId: 2, changes: { muted: true } });
  await expect.poll(() => requests.bodies).toEqual([{ muted: true }]);
  requests.respond({ object: "project_notification_settings", data: projectSettings(2, true) });
  await muting;
  return queryClient.getQueryData(notificationKeys.projectSettings);
}

test("changed settings of a project replace its own in the list, and make no list of one project if none is loaded", async () => {
  expect(await muteProject([projectSettings(1, true), projectSettings(2, false)])).toEqual([projectSettings(1, true), projectSettings(2, true)]);
  expect(await muteProject(undefined)).toBeUndefined();
});

test("changes of the settings are sent one after another, so that the last one stays", async () => {
  const client = createClient();
  onTestFinished(() => client.dispose());
  const requests = holdRequests();
  const { mutate } = renderHook(client, useUpdateNotificationSettings);
  const night = (start: string) => ({ do_not_disturb: { start, end: "08:00" } });
  for (const start of ["02:00", "21:00"]) mutate(night(start));
  await expect.poll(() => requests.bodies).toEqual([night("02:00")]);
  requests.respond({ title: "Busy", status: 409 }, 409);
  await expect.poll(() => requests.bodies).toEqual([night("02:00"), night("21:00")]);
});

test("the number of unread notifications of an event is not replaced by a load that began before it", async () => {
  const client = createClient();
  onTestFinished(() => client.dispose());
  const counts: ((count: number) => void)[] = [];
  const queryFn = () => new Promise<number>((resolve) => counts.push(resolve));
  onTestFinished(new QueryObserver(client.queryClient, { queryKey: notificationKeys.unread, queryFn }).subscribe(() => {}));
  applyUnreadCount(client, 2);
  counts[0]!(1);
  await expect.poll(() => counts).toHaveLength(2);
  counts[1]!(2);
  await expect.poll(() => client.queryClient.isFetching()).toBe(0);
  expect(client.queryClient.getQueryData(notificationKeys.unread)).toBe(2);
});
