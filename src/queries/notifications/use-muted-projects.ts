import { useQuery } from "@tanstack/react-query";
import type { ProjectNotificationSettings } from "../../../contract/notification-records.ts";
import { notificationKeys } from "./cache-updates.ts";

const toMutedIds = (settings: ProjectNotificationSettings[]): number[] => settings.filter(({ muted }) => muted).map(({ project_id }) => project_id);

/** Returns the ids of muted projects from the cache, which the shell fills after the first paint. */
export const useMutedProjectIds = (): readonly number[] | undefined =>
  useQuery<ProjectNotificationSettings[], Error, number[]>({ queryKey: notificationKeys.projectSettings, enabled: false, select: toMutedIds }).data;
