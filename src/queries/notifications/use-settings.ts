/** Queries and changes which notifications a person gets: in the whole account and in single projects, and the files that they watch. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/notifications.ts";
import type { BodyOf } from "../../api/http.ts";
import { fetchAll, fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { notificationKeys } from "./cache-updates.ts";

const settingsQueries = {
  account: () => queryOptions({ queryKey: [...notificationKeys.settings, "account"], queryFn: fetchData(operations.getNotificationSettings, {}) }),
  projects: () =>
    queryOptions({
      queryKey: notificationKeys.projectSettings,
      queryFn: fetchAll((api, query, options) => api.call(operations.listProjectNotificationSettings, { query }, options)),
    }),
  watch: (fileId: number) =>
    queryOptions({ queryKey: notificationKeys.watch(fileId), queryFn: fetchData(operations.getFileWatch, { params: { file_id: fileId } }) }),
};

export const useNotificationSettings = () => useQuery(settingsQueries.account());

export const useUpdateNotificationSettings = () =>
  useOperation(operations.updateNotificationSettings, (body: BodyOf<typeof operations.updateNotificationSettings>) => ({ body }), {
    // A time that is being typed is sent with each of its digits.
    queue: "notification-settings",
    onSuccess: ({ queryClient }, settings) => queryClient.setQueryData(settingsQueries.account().queryKey, settings),
  });

/** Returns the settings of the projects that have some of their own. */
export const useProjectNotificationSettings = () => useQuery(settingsQueries.projects());

export const useUpdateProjectNotificationSettings = () =>
  useOperation(
    operations.updateProjectNotificationSettings,
    ({ projectId, changes }: { projectId: number; changes: BodyOf<typeof operations.updateProjectNotificationSettings> }) => ({
      params: { project_id: projectId },
      body: changes,
    }),
    {
      onSuccess: ({ queryClient }, settings) =>
        // A list that is not loaded has other projects too.
        queryClient.setQueryData(
          settingsQueries.projects().queryKey,
          (all) => all && [...all.filter(({ project_id }) => project_id !== settings.project_id), settings],
        ),
    },
  );

/** Returns whether the person watches the file; undefined until that is known. */
export function useFileWatch(fileId: number): boolean | undefined {
  const hasNotifications = useHasFeature("notifications");
  return useQuery({ ...settingsQueries.watch(fileId), enabled: hasNotifications }).data?.watching;
}

export const useSetFileWatch = (fileId: number) =>
  useOperation(operations.setFileWatch, (watching: boolean) => ({ params: { file_id: fileId }, body: { watching } }), {
    onSuccess: ({ queryClient }, watch) => queryClient.setQueryData(settingsQueries.watch(fileId).queryKey, watch),
  });
