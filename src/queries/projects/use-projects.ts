import { useQuery } from "@tanstack/react-query";
import { projectQueries } from "./options.ts";

/** Every project that this person sees. */
export const useProjects = () => useQuery(projectQueries.all());

/** One of them; undefined while loading and where there is none with this id. */
export const useProject = (projectId: number) =>
  useQuery({ ...projectQueries.all(), select: (projects) => projects.find((project) => project.id === projectId) });

/** The people of a project. */
export const useProjectMembers = (projectId: number) => useQuery(projectQueries.members(projectId));
