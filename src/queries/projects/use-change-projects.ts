import { useMutation, useQueryClient } from "@tanstack/react-query";
import { addProjectMember, createProject, removeProjectMember, type NewProject } from "../../api/projects.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { useSession } from "../session/use-session.ts";
import { withoutProject, withoutProjectMember, withProject, withProjectMember } from "./cache.ts";
import { projectQueries } from "./options.ts";

/** Resending the same form creates no second project. */
export function useCreateProject() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewProject) => createProject(body, idempotencyKeyFor(body)),
    onSuccess: (project) => client.setQueryData(projectQueries.all().queryKey, (projects) => withProject(projects, project)),
  });
}

export function useAddProjectMember(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (accountId: number) => addProjectMember(projectId, accountId),
    onSuccess: (person) => client.setQueryData(projectQueries.members(projectId).queryKey, (people) => withProjectMember(people, person)),
  });
}

/** Removes a person; users who remove themselves leave, and may then no longer see the project. */
export function useRemoveProjectMember(projectId: number) {
  const client = useQueryClient();
  const { account, role } = useSession();
  return useMutation({
    mutationFn: (accountId: number) => removeProjectMember(projectId, accountId),
    onSuccess: (_, accountId) => {
      client.setQueryData(projectQueries.members(projectId).queryKey, (people) => withoutProjectMember(people, accountId));
      const canStillSee = role === "owner" || role === "admin";
      if (accountId === account.id && !canStillSee) {
        client.setQueryData(projectQueries.all().queryKey, (projects) => withoutProject(projects, projectId));
      }
    },
  });
}
