import { useQuery } from "@tanstack/react-query";
import { projectQueries } from "./options.ts";

/** Every project that this person sees. */
export const useProjects = () => useQuery(projectQueries.all());

/** One of them; undefined while loading and where there is none with this id. */
export const useProject = (projectId: number) =>
  useQuery({ ...projectQueries.all(), select: (projects) => projects.find((project) => project.id === projectId) });

/** How much is unread in all projects together, as far as it is known: it asks for nothing by itself, so that it may stand on any page. */
export const useUnreadCount = (): number =>
  useQuery({ ...projectQueries.all(), enabled: false, select: (projects) => projects.reduce((sum, { unread_count }) => sum + unread_count, 0) }).data ?? 0;

/** The people of a project. */
export const useProjectMembers = (projectId: number) => useQuery(projectQueries.members(projectId));
