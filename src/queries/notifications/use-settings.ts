/** Queries and changes which notifications a person gets: in the whole account and in single projects, and the files that they watch. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/notifications.ts";
import type { NotificationSettings, ProjectNotificationSettings } from "../../../contract/notification-records.ts";
import type { BodyOf } from "../../api/http.ts";
import { fetchAll, fetchData, useOperation, usePendingVariables } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { applyFileWatch, notificationKeys } from "./cache-updates.ts";

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

type Changes = BodyOf<typeof operations.updateNotificationSettings>;
interface ProjectChanges {
  projectId: number;
  changes: BodyOf<typeof operations.updateProjectNotificationSettings>;
}
type OnError = (error: unknown) => void;
/** A time that is being typed is sent with each of its digits, and a box may be ticked and cleared at once. */
const QUEUE = "notification-settings";
const PROJECT_QUEUE = "project-notification-settings";

/** Returns the account's settings, with the changes that are being sent. */
export function useNotificationSettings() {
  const query = useQuery(settingsQueries.account());
  const changes = usePendingVariables<Changes>(QUEUE);
  return { ...query, data: query.data && changes.reduce(withChanges, query.data) };
}

const withChanges = (settings: NotificationSettings, { kinds = {}, ...changes }: Changes): NotificationSettings => ({
  ...settings,
  ...changes,
  kinds: withKinds(settings.kinds, kinds) as NotificationSettings["kinds"],
});

/** Returns the kinds with changed channels; null removes those of a kind. */
function withKinds(kinds: Record<string, unknown>, changes: Record<string, object | null | undefined>): Record<string, unknown> {
  const changed = Object.entries(changes).map(([kind, channels]) => [kind, channels ? { ...(kinds[kind] as object | undefined), ...channels } : undefined]);
  return Object.fromEntries(Object.entries({ ...kinds, ...Object.fromEntries(changed) }).filter(([, channels]) => channels !== undefined));
}

export const useUpdateNotificationSettings = (onError: OnError) =>
  useOperation(operations.updateNotificationSettings, (body: Changes) => ({ body }), {
    queue: QUEUE,
    onError,
    onSuccess: ({ queryClient }, settings) => queryClient.setQueryData(settingsQueries.account().queryKey, settings),
  });

/** Returns the settings of the projects that have some of their own, with the changes that are being sent. */
export function useProjectNotificationSettings() {
  const query = useQuery(settingsQueries.projects());
  const changes = usePendingVariables<ProjectChanges>(PROJECT_QUEUE);
  return { ...query, data: query.data && changes.reduce(withProjectChanges, query.data) };
}

function withProjectChanges(all: ProjectNotificationSettings[], { projectId, changes }: ProjectChanges): ProjectNotificationSettings[] {
  const before = all.find(({ project_id }) => project_id === projectId) ?? { project_id: projectId, muted: false, kinds: {} };
  const kinds = withKinds(before.kinds, changes.kinds ?? {}) as ProjectNotificationSettings["kinds"];
  return [...all.filter((settings) => settings !== before), { ...before, muted: changes.muted ?? before.muted, kinds }];
}

export const useUpdateProjectNotificationSettings = (onError: OnError) =>
  useOperation(
    operations.updateProjectNotificationSettings,
    ({ projectId, changes }: ProjectChanges) => ({ params: { project_id: projectId }, body: changes }),
    {
      queue: PROJECT_QUEUE,
      onError,
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
    onSuccess: applyFileWatch,
  });
