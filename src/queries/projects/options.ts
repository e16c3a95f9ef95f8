import { queryOptions } from "@tanstack/react-query";
import { listProjectMembers, listProjects } from "../../api/projects.ts";

export const projectQueries = {
  /** Every project that the user can see, with its unread counts, for the project rail. */
  all: () => queryOptions({ queryKey: ["projects"], queryFn: ({ signal }) => listProjects({ signal }) }),
  members: (projectId: number) =>
    queryOptions({ queryKey: ["projects", projectId, "members"], queryFn: ({ signal }) => listProjectMembers(projectId, { signal }) }),
};
