import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import * as operations from "../../../contract/operations/tasks.ts";
import { taskFacts } from "../../../contract/policy.ts";
import type { Task } from "../../../contract/task-records.ts";
import type { BodyOf } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { removeById } from "../lists.ts";
import { fetchAll, fetchData, useIdempotencyKey, useOperation } from "../operations.ts";
import { can, type CurrentUser, useCurrentUser } from "../permissions.ts";
import { closeTaskKey, type CloseTaskInput, findPendingClose, invalidateOwnTasks, removeTask, patchClosed, taskKeys, upsertTask } from "./cache-updates.ts";

const taskQueries = {
  /** Tasks of a file, or of a folder with everything in it. */
  forFile: (fileId: number, isFolder: boolean) =>
    queryOptions({
      queryKey: isFolder ? taskKeys.folder(fileId) : taskKeys.file(fileId),
      queryFn: fetchData(operations.listFolderTasks, { body: { file_id: fileId } }),
    }),
  ownOpen: () =>
    queryOptions({
      queryKey: taskKeys.ownOpen,
      queryFn: fetchAll((api, query, options) => api.call(operations.listTasks, { query: { ...query, mine: "true", closed: "false" } }, options)),
    }),
  /** The newest ones. */
  ownClosed: () =>
    queryOptions({ queryKey: taskKeys.ownClosed, queryFn: fetchData(operations.listTasks, { query: { mine: "true", closed: "true", limit: 50 } }) }),
  /** A team's templates, sorted by name. */
  templates: (teamId: number) =>
    queryOptions({ queryKey: taskKeys.templates(teamId), queryFn: fetchData(operations.listTaskTemplates, { query: { team_id: teamId } }) }),
};

/** Returns the tasks of a file, or of a folder with everything in it. */
export const useTasks = (fileId: number, isFolder: boolean) => useQuery(taskQueries.forFile(fileId, isFolder));

/** Returns the user's open tasks. */
export const useOwnOpenTasks = () => useQuery(taskQueries.ownOpen());

/** Returns the user's closed tasks, newest first; fetched only when `isEnabled`. */
export const useOwnClosedTasks = (isEnabled: boolean) => useQuery({ ...taskQueries.ownClosed(), enabled: isEnabled });

/** Returns what the user may do with a task. */
export const useTaskPermissions = (task: Task) => taskPermissions(task, useCurrentUser());

export function taskPermissions(task: Parameters<typeof taskFacts>[0], user: CurrentUser) {
  const facts = taskFacts(task, user.accountId);
  return {
    canEdit: can(user, "task.edit", { ...facts, isClosing: false }),
    canDelete: can(user, "task.delete", facts),
    /** Closes and reopens the task. */
    canClose: can(user, "task.edit", { ...facts, isClosing: true }),
  };
}

/** Resending the same form creates nothing twice; the same text after a success creates another task. */
export function useCreateTasks() {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  const createdCount = useRef(0);
  return useMutation({
    mutationFn: (body: BodyOf<typeof operations.createTasks>) =>
      client.api.data(operations.createTasks, { body }, { idempotencyKey: idempotencyKeyFor([createdCount.current, body]) }),
    onSuccess: (tasks) => {
      createdCount.current += 1;
      for (const task of tasks) upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });
}

const toTaskUpdate = ({ id, changes }: { id: number; changes: BodyOf<typeof operations.updateTask> }) => ({ params: { task_id: id }, body: changes });

export const useUpdateTask = () =>
  useOperation(operations.updateTask, toTaskUpdate, {
    onSuccess(client, task) {
      upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });

/** Closes or reopens a task: shown at once, reverted when the service rejects it. */
export function useCloseTask() {
  const client = useClient();
  return useMutation({
    mutationKey: closeTaskKey,
    mutationFn: ({ task, closed }: CloseTaskInput) => client.api.data(operations.updateTask, toTaskUpdate({ id: task.id, changes: { closed } })),
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

export const useDeleteTask = () =>
  useOperation(operations.deleteTask, ({ id }: Task) => ({ params: { task_id: id } }), { onSuccess: (client, _, { id }) => removeTask(client, id) });

export const useTaskTemplates = (teamId: number) => useQuery(taskQueries.templates(teamId));

/** Saves a list of tasks as a template of the team. */
export const useCreateTaskTemplate = () =>
  useOperation(operations.createTaskTemplate, (body: BodyOf<typeof operations.createTaskTemplate>) => ({ body }), {
    isIdempotent: true,
    onSuccess: ({ queryClient }, _, { team_id }) => queryClient.invalidateQueries(taskQueries.templates(team_id)),
  });

export const useDeleteTaskTemplate = (teamId: number) =>
  useOperation(operations.deleteTaskTemplate, (template_id: number) => ({ params: { template_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(taskQueries.templates(teamId).queryKey, removeById(id)),
  });

/** Creates a template's tasks on a file or folder. */
export const useLoadTasksFromTemplate = () =>
  useOperation(operations.loadTasksFromTemplate, (body: BodyOf<typeof operations.loadTasksFromTemplate>) => ({ body }), {
    isIdempotent: true,
    onSuccess(client, tasks) {
      for (const task of tasks) upsertTask(client, task);
    },
  });
