import { useQuery } from "@tanstack/react-query";
import { projectQueries } from "./options.ts";

/** Returns every project that the user can see. */
export const useProjects = () => useQuery(projectQueries.all());

/** Returns one project; undefined while loading and for an unknown id. */
export const useProject = (projectId: number) =>
  useQuery({ ...projectQueries.all(), select: (projects) => projects.find((project) => project.id === projectId) });

/** Returns the unread count of all cached projects; it sends no request, so that any page can show it. */
export const useUnreadCount = (): number =>
  useQuery({ ...projectQueries.all(), enabled: false, select: (projects) => projects.reduce((sum, { unread_count }) => sum + unread_count, 0) }).data ?? 0;

export const useProjectMembers = (projectId: number) => useQuery(projectQueries.members(projectId));
