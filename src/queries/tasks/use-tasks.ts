import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { isAllowed, taskFacts } from "../../../contract/policy.ts";
import type { Task } from "../../../contract/task-records.ts";
import { useClient } from "../../client/client.ts";
import {
  createTasks,
  createTaskTemplate,
  deleteTask,
  deleteTaskTemplate,
  listOwnClosedTasks,
  listOwnOpenTasks,
  listTaskTemplates,
  loadTasksFromTemplate,
  type LoadTasksInput,
  type NewTasks,
  type NewTaskTemplate,
  type TaskChanges,
  listFolderTasks,
  updateTask,
} from "../../api/tasks.ts";
import { type CurrentUser, useCurrentUser } from "../permissions.ts";
import { useIdempotencyKey } from "../use-idempotency-key.ts";
import { closeTaskKey, type CloseTaskInput, findPendingClose, invalidateOwnTasks, removeTask, patchClosed, taskKeys, upsertTask } from "./cache-updates.ts";

/** What the interface offers a user for a task. */
interface TaskPermissions {
  canEdit: boolean;
  canDelete: boolean;
  /** Closes and reopens the task. */
  canClose: boolean;
}

const taskQueries = {
  /** Tasks of a file, or of a folder with everything in it. */
  forFile: (fileId: number, isFolder: boolean) =>
    queryOptions({
      queryKey: isFolder ? taskKeys.folder(fileId) : taskKeys.file(fileId),
      queryFn: ({ signal, meta }) => listFolderTasks(meta!.client.api, fileId, { signal }),
    }),
  ownOpen: () => queryOptions({ queryKey: taskKeys.ownOpen, queryFn: ({ signal, meta }) => listOwnOpenTasks(meta!.client.api, { signal }) }),
  ownClosed: () => queryOptions({ queryKey: taskKeys.ownClosed, queryFn: ({ signal, meta }) => listOwnClosedTasks(meta!.client.api, { signal }) }),
  /** A team's templates, sorted by name. */
  templates: (teamId: number) =>
    queryOptions({ queryKey: taskKeys.templates(teamId), queryFn: ({ signal, meta }) => listTaskTemplates(meta!.client.api, teamId, { signal }) }),
};

/** Returns the tasks of a file, or of a folder with everything in it. */
export const useTasks = (fileId: number, isFolder: boolean) => useQuery(taskQueries.forFile(fileId, isFolder));

/** Returns the user's open tasks. */
export const useOwnOpenTasks = () => useQuery(taskQueries.ownOpen());

/** Returns the user's closed tasks, newest first; fetched only when `isEnabled`. */
export const useOwnClosedTasks = (isEnabled: boolean) => useQuery({ ...taskQueries.ownClosed(), enabled: isEnabled });

/** Returns what the user may do with a task. */
export const useTaskPermissions = (task: Task): TaskPermissions => taskPermissions(task, useCurrentUser());

export function taskPermissions(task: Parameters<typeof taskFacts>[0], { accountId, role }: CurrentUser): TaskPermissions {
  const facts = taskFacts(task, accountId);
  return {
    canEdit: isAllowed("task.edit", role, { ...facts, isClosing: false }),
    canDelete: isAllowed("task.delete", role, facts),
    canClose: isAllowed("task.edit", role, { ...facts, isClosing: true }),
  };
}

/** Resending the same form creates nothing twice; the same text after a success creates another task. */
export function useCreateTasks() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  const createdCount = useRef(0);
  return useMutation({
    mutationFn: (body: NewTasks) => createTasks(client.api, body, idempotencyKeyFor([createdCount.current, body])),
    onSuccess: (tasks) => {
      createdCount.current += 1;
      for (const task of tasks) upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });
}

export function useUpdateTask() {
  const client = useClient();
  return useMutation({
    mutationFn: ({ id, changes }: { id: number; changes: TaskChanges }) => updateTask(client.api, id, changes),
    onSuccess: (task) => {
      upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });
}

/** Closes or reopens a task: shown at once, reverted when the service rejects it. */
export function useCloseTask() {
  const client = useClient();
  return useMutation({
    mutationKey: closeTaskKey,
    mutationFn: ({ task, closed }: CloseTaskInput) => updateTask(client.api, task.id, { closed }),
    // Requests run one after the other, so that the last click wins.
    scope: { id: "close-task" },
    onMutate: ({ task, closed }) => patchClosed(client, task.id, closed),
    onError: (_, input) => {
      // A later click decides what is shown.
      if (findPendingClose(client, input.task.id) !== input) return;
      patchClosed(client, input.task.id, !input.closed);
      void client.queryClient.invalidateQueries({ queryKey: taskKeys.all });
    },
    onSuccess: (task) => upsertTask(client, task),
  });
}

export function useDeleteTask() {
  const client = useClient();
  return useMutation({
    mutationFn: (task: Task) => deleteTask(client.api, task.id),
    onSuccess: (_, { id }) => removeTask(client, id),
  });
}

export const useTaskTemplates = (teamId: number) => useQuery(taskQueries.templates(teamId));

/** Saves a list of tasks as a template of the team. */
export function useCreateTaskTemplate() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: NewTaskTemplate) => createTaskTemplate(client.api, body, idempotencyKeyFor(body)),
    onSuccess: (_, { team_id }) => client.queryClient.invalidateQueries(taskQueries.templates(team_id)),
  });
}

export function useDeleteTaskTemplate(teamId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => deleteTaskTemplate(client.api, id),
    onSuccess: (_, id) =>
      client.queryClient.setQueryData(taskQueries.templates(teamId).queryKey, (templates) => templates?.filter((template) => template.id !== id)),
  });
}

/** Creates a template's tasks on a file or folder; a retry after a lost response creates them once. */
export function useLoadTasksFromTemplate() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: LoadTasksInput) => loadTasksFromTemplate(client.api, body, idempotencyKeyFor(body)),
    onSuccess: (tasks) => {
      for (const task of tasks) upsertTask(client, task);
    },
  });
}
