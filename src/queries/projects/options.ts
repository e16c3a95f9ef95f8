import { queryOptions } from "@tanstack/react-query";
import { listProjectMembers, listProjects } from "../../api/projects.ts";

export const projectQueries = {
  /** Every project that this person sees, with what is unread in it: the rail. */
  all: () => queryOptions({ queryKey: ["projects"], queryFn: ({ signal }) => listProjects({ signal }) }),
  members: (projectId: number) =>
    queryOptions({ queryKey: ["projects", projectId, "members"], queryFn: ({ signal }) => listProjectMembers(projectId, { signal }) }),
};
