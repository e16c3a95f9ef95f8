/** Queries the projects and their members, and changes them. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { canSeeEverything } from "../../contract/policy.ts";
import type { Project, ProjectMember } from "../../contract/records.ts";
import { useClient } from "../client/client.ts";
import { addProjectMember, createProject, listProjectMembers, listProjects, type NewProject, removeProjectMember } from "../api/projects.ts";
import { useSession } from "./session.ts";
import { useIdempotencyKey } from "./use-idempotency-key.ts";

/** Local storage name of the id of the project that was opened last. */
export const LAST_PROJECT_KEY = "last-project";

type Projects = Project[] | undefined;
type People = ProjectMember[] | undefined;

export const projectQueries = {
  /** Every project that the user can see, with its unread counts, for the project rail. */
  all: () => queryOptions({ queryKey: ["projects"], queryFn: ({ signal, meta }) => listProjects(meta!.client.api, { signal }) }),
  members: (projectId: number) =>
    queryOptions({ queryKey: ["projects", projectId, "members"], queryFn: ({ signal, meta }) => listProjectMembers(meta!.client.api, projectId, { signal }) }),
};

/** Returns every project that the user can see. */
export const useProjects = () => useQuery(projectQueries.all());

/** Returns one project; undefined while loading and for an unknown id. */
export const useProject = (projectId: number) =>
  useQuery({ ...projectQueries.all(), select: (projects) => projects.find((project) => project.id === projectId) });

/** Returns the unread count of all cached projects; it sends no request, so that any page can show it. */
export const useUnreadCount = (): number =>
  useQuery({ ...projectQueries.all(), enabled: false, select: (projects) => projects.reduce((sum, { unread_count }) => sum + unread_count, 0) }).data ?? 0;

export const useProjectMembers = (projectId: number) => useQuery(projectQueries.members(projectId));

/** Resending the same form creates no second project. */
export function useCreateProject() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewProject) => createProject(client.api, body, idempotencyKeyFor(body)),
    onSuccess: (project) => client.queryClient.setQueryData(projectQueries.all().queryKey, (projects) => withProject(projects, project)),
  });
}

export function useAddProjectMember(projectId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (accountId: number) => addProjectMember(client.api, projectId, accountId),
    onSuccess: (person) => client.queryClient.setQueryData(projectQueries.members(projectId).queryKey, (people) => withProjectMember(people, person)),
  });
}

/** Removes a person; users who remove themselves leave, and may then no longer see the project. */
export function useRemoveProjectMember(projectId: number) {
  const client = useClient();
  const { account, role } = useSession();
  return useMutation({
    mutationFn: (accountId: number) => removeProjectMember(client.api, projectId, accountId),
    onSuccess: (_, accountId) => {
      client.queryClient.setQueryData(projectQueries.members(projectId).queryKey, (people) => withoutProjectMember(people, accountId));
      if (accountId === account.id && !canSeeEverything(role)) {
        client.queryClient.setQueryData(projectQueries.all().queryKey, (projects) => withoutProject(projects, projectId));
      }
    },
  });
}

/** Returns the list with the project added or replaced. */
export const withProject = (projects: Projects, project: Project): Projects => upsertById(projects, project);

export const withoutProject = (projects: Projects, projectId: number): Projects => projects?.filter(({ id }) => id !== projectId);

/** Returns the members with this one added or replaced. */
export const withProjectMember = (people: People, person: ProjectMember): People => upsertById(people, person);

export const withoutProjectMember = (people: People, accountId: number): People => people?.filter(({ id }) => id !== accountId);

/** Returns the list with the item added or replaced. */
export const upsertById = <T extends { id: number }>(items: T[] | undefined, item: T): T[] | undefined => {
  if (!items) return items;
  return items.some(({ id }) => id === item.id) ? items.map((existing) => (existing.id === item.id ? item : existing)) : [...items, item];
};
