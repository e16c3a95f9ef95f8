/** Queries the projects and their members, and changes them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../contract/operations/projects.ts";
import { canSeeEverything } from "../../contract/policy.ts";
import type { Project } from "../../contract/records.ts";
import type { BodyOf } from "../api/http.ts";
import type { ClientData } from "../client/client.ts";
import { removeById, upsertById } from "./lists.ts";
import { useMutedProjectIds } from "./notifications/use-muted-projects.ts";
import { fetchAll, fetchData, useOperation } from "./operations.ts";
import { patchDataAndLoads } from "./query-client.ts";
import { useHasFeature } from "./service.ts";
import { useSession } from "./session.ts";

export const projectQueries = {
  /** Every project that the user can see, with its unread counts, for the project rail. */
  all: () => queryOptions({ queryKey: ["projects"], queryFn: fetchAll((api, query, options) => api.call(operations.listProjects, { query }, options)) }),
  /** The deleted projects that the user can restore. */
  deleted: () => queryOptions({ queryKey: ["deleted-projects"], queryFn: fetchData(operations.listDeletedProjects, {}) }),
  members: (projectId: number) =>
    queryOptions({
      queryKey: ["projects", projectId, "members"],
      queryFn: fetchAll((api, query, options) => api.call(operations.listProjectMembers, { params: { project_id: projectId }, query }, options)),
    }),
};

/** Patches the cached projects, and repeats a load in flight, which may be older than the change. */
export function patchProjects(client: ClientData, patch: (projects: readonly Project[]) => readonly Project[]): void {
  patchDataAndLoads<Project[]>(client, projectQueries.all().queryKey, (projects) => projects && (patch(projects) as Project[]));
}

/** Returns every project that the user can see. */
export const useProjects = () => useQuery(projectQueries.all());

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

export const useUpdateProject = () =>
  useOperation(
    operations.updateProject,
    ({ id, ...body }: { id: number } & BodyOf<typeof operations.updateProject>) => ({ params: { project_id: id }, body }),
    { onSuccess: (client, project) => patchProjects(client, (projects) => projects.map((one) => (one.id === project.id ? project : one))) },
  );

/** Returns the deleted projects that the user can restore. */
export const useDeletedProjects = () => useQuery(projectQueries.deleted());

export const useDeleteProject = () =>
  useOperation(operations.deleteProject, (id: number) => ({ params: { project_id: id } }), {
    onSuccess(client, deleted) {
      patchProjects(client, (projects) => projects.filter(({ id }) => id !== deleted.id));
      return client.queryClient.invalidateQueries(projectQueries.deleted());
    },
  });

/** Shows the project again where it was; the live channel refetches the rest. */
export async function restoreProject(client: ClientData, id: number): Promise<void> {
  const { data } = await client.api.call(operations.restoreProject, { params: { project_id: id } });
  patchProjects(client, (projects) => [...projects.filter((project) => project.id !== id), data]);
  await client.queryClient.invalidateQueries(projectQueries.deleted());
}

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
