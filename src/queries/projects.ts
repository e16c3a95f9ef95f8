/** Queries the projects and their members, and changes them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../contract/operations/projects.ts";
import { canSeeEverything } from "../../contract/policy.ts";
import type { Project } from "../../contract/records.ts";
import type { BodyOf } from "../api/http.ts";
import type { ClientData } from "../client/client.ts";
import { removeById, upsertById } from "./lists.ts";
import { useMutedProjectIds } from "./notifications/use-muted-projects.ts";
import { fetchAll, useOperation } from "./operations.ts";
import { patchDataAndLoads } from "./query-client.ts";
import { useHasFeature } from "./service.ts";
import { useSession } from "./session.ts";

export const projectQueries = {
  /** Every project that the user can see, with its unread counts, for the project rail. */
  all: () => queryOptions({ queryKey: ["projects"], queryFn: fetchAll((api, query, options) => api.call(operations.listProjects, { query }, options)) }),
  members: (projectId: number) =>
    queryOptions({
      queryKey: ["projects", projectId, "members"],
      queryFn: fetchAll((api, query, options) => api.call(operations.listProjectMembers, { params: { project_id: projectId }, query }, options)),
    }),
};

/** Query key of the deleted projects that the user can restore. */
export const DELETED_PROJECTS_KEY = ["deleted-projects"] as const;

/** Patches the cached projects, and repeats a load in flight, which may be older than the change. */
export function patchProjects(client: ClientData, patch: (projects: readonly Project[]) => readonly Project[]): void {
  patchDataAndLoads<Project[]>(client, projectQueries.all().queryKey, (projects) => projects && (patch(projects) as Project[]));
}

/** Returns every project that the user can see. */
export const useProjects = () => useQuery(projectQueries.all());

/** Returns the projects that are not archived, in order of their names, for choosing one. */
export const useActiveProjects = (): Project[] =>
  (useProjects().data ?? []).filter(({ archived_at }) => !archived_at).toSorted((a, b) => a.name.localeCompare(b.name));

/** Returns one project; undefined while loading and for an unknown id. */
export const useProject = (projectId: number) =>
  useQuery({ ...projectQueries.all(), select: (projects) => projects.find((project) => project.id === projectId) });

/** Returns what is unread in all cached projects, of muted ones only the mentions; it sends no request, so that any page can show it. */
export function useUnreadCounts(): { unread: number; mentions: number } {
  const mutedIds = useMutedProjectIds() ?? [];
  const projects = useQuery({ ...projectQueries.all(), enabled: false }).data ?? [];
  const mentions = projects.reduce((sum, { mention_count = 0 }) => sum + mention_count, 0);
  const unread = projects.reduce((sum, { id, unread_count, mention_count = 0 }) => sum + (mutedIds.includes(id) ? mention_count : unread_count), 0);
  return { unread, mentions };
}

export const useProjectMembers = (projectId: number) => useQuery({ ...projectQueries.members(projectId), enabled: useHasFeature("members") });

export const useCreateProject = () =>
  useOperation(operations.createProject, (body: BodyOf<typeof operations.createProject>) => ({ body }), {
    isIdempotent: true,
    onSuccess: ({ queryClient }, project) => queryClient.setQueryData(projectQueries.all().queryKey, upsertById(project)),
  });

export const useAddProjectMember = (projectId: number) =>
  useOperation(operations.addProjectMember, (accountId: number) => ({ params: { project_id: projectId }, body: { account_id: accountId } }), {
    onSuccess: ({ queryClient }, person) => queryClient.setQueryData(projectQueries.members(projectId).queryKey, upsertById(person)),
  });

/** Removes a person; users who remove themselves leave, and may then no longer see the project. */
export function useRemoveProjectMember(projectId: number) {
  const { account, role } = useSession();
  return useOperation(operations.removeProjectMember, (accountId: number) => ({ params: { project_id: projectId, account_id: accountId } }), {
    onSuccess({ queryClient }, _, accountId) {
      queryClient.setQueryData(projectQueries.members(projectId).queryKey, removeById(accountId));
      if (accountId === account.id && !canSeeEverything(role)) queryClient.setQueryData(projectQueries.all().queryKey, removeById(projectId));
    },
  });
}
