import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createTaskTemplate, deleteTaskTemplate, loadTasksFromTemplate, type NewTaskTemplate, type LoadTasksInput } from "../../api/tasks.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { taskQueries } from "./options.ts";
import { upsertTask } from "./put.ts";

export const useTaskTemplates = (teamId: number) => useQuery(taskQueries.templates(teamId));

/** Saves a list of tasks as a template of the team. */
export function useCreateTaskTemplate() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewTaskTemplate) => createTaskTemplate(body, idempotencyKeyFor(body)),
    onSuccess: (_, { team_id }) => client.invalidateQueries(taskQueries.templates(team_id)),
  });
}

export function useDeleteTaskTemplate(teamId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteTaskTemplate,
    onSuccess: (_, id) => client.setQueryData(taskQueries.templates(teamId).queryKey, (templates) => templates?.filter((template) => template.id !== id)),
  });
}

/** Creates a template's tasks on a file or folder; a retry after a lost response creates them once. */
export function useLoadTasks() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: LoadTasksInput) => loadTasksFromTemplate(body, idempotencyKeyFor(body)),
    onSuccess: (tasks) => {
      for (const task of tasks) upsertTask(client, task);
    },
  });
}
