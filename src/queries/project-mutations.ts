/** Changes, archives, deletes and restores projects and groups, and lists the deleted projects. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import * as deletion from "../../contract/operations/deleted-projects.ts";
import { updateProject as updateProjectOperation } from "../../contract/operations/projects.ts";
import * as groups from "../../contract/operations/teams.ts";
import type { Group, Project } from "../../contract/records.ts";
import type { BodyOf } from "../api/http.ts";
import { type ClientData, useClient } from "../client/client.ts";
import { hueOfItem } from "../lib/hue.ts";
import { randomId } from "../lib/random-id.ts";
import { removeById, upsertById } from "./lists.ts";
import { fetchData, useOperation } from "./operations.ts";
import { DELETED_PROJECTS_KEY, patchProjects } from "./projects.ts";
import { groupQueries } from "./teams.ts";

const deletedProjectsQuery = () => queryOptions({ queryKey: DELETED_PROJECTS_KEY, queryFn: fetchData(deletion.listDeletedProjects, {}) });

export const useUpdateProject = () =>
  useOperation(updateProjectOperation, ({ id, ...body }: { id: number } & BodyOf<typeof updateProjectOperation>) => ({ params: { project_id: id }, body }), {
    onSuccess: (client, project) => patchProjects(client, (projects) => projects.map((one) => (one.id === project.id ? project : one))),
  });

/** Changes a project on behalf of a toast, which outlasts the view. */
export async function updateProject(client: ClientData, id: number, body: BodyOf<typeof updateProjectOperation>): Promise<void> {
  const { data } = await client.api.call(updateProjectOperation, { params: { project_id: id }, body });
  patchProjects(client, (projects) => projects.map((project) => (project.id === id ? data : project)));
}

/** Returns the deleted projects that the user can restore. */
export const useDeletedProjects = () => useQuery(deletedProjectsQuery());

export const useDeleteProject = () =>
  useOperation(deletion.deleteProject, (id: number) => ({ params: { project_id: id } }), {
    onSuccess(client, deleted) {
      patchProjects(client, (projects) => projects.filter(({ id }) => id !== deleted.id));
      return client.queryClient.invalidateQueries(deletedProjectsQuery());
    },
  });

export const useRestoreProject = () => {
  const client = useClient();
  return useMutation({ mutationFn: (id: number) => restoreProject(client, id) });
};

/** Shows the project again where it was; the live channel refetches the rest. */
export async function restoreProject(client: ClientData, id: number): Promise<void> {
  const { data } = await client.api.call(deletion.restoreProject, { params: { project_id: id } });
  patchProjects(client, (projects) => [...projects.filter((project) => project.id !== id), data]);
  await client.queryClient.invalidateQueries(deletedProjectsQuery());
}

export const useUpdateGroup = () =>
  useOperation(groups.updateGroup, ({ id, ...body }: { id: number } & BodyOf<typeof groups.updateGroup>) => ({ params: { group_id: id }, body }), {
    onSuccess: ({ queryClient }, group) => queryClient.setQueryData(groupQueries.all().queryKey, upsertById(group)),
  });

/**
 * Creates a deleted group again, with its name, description and color, and moves these projects back into it. Projects that the user does not see stay without
 * a group.
 */
export async function recreateGroup(client: ClientData, deleted: Group, projects: readonly Project[]): Promise<void> {
  const { name, team_id, description } = deleted;
  const { data: created } = await client.api.call(groups.createGroup, { body: { name, team_id, description } }, { idempotencyKey: randomId() });
  const { data: group } = await client.api.call(groups.updateGroup, { params: { group_id: created.id }, body: { color: hueOfItem(deleted) } });
  client.queryClient.setQueryData(groupQueries.all().queryKey, upsertById(group));
  for (const { id, archived_at } of projects) {
    // An archived project accepts only changes that say whether it stays archived.
    await updateProject(client, id, { group_id: group.id, ...(archived_at && { archived: true }) });
  }
}

/** The projects of the group follow by events of their own. */
export const useDeleteGroup = () =>
  useOperation(groups.deleteGroup, (id: number) => ({ params: { group_id: id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(groupQueries.all().queryKey, removeById(id)),
  });
