import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { createTasks, deleteTask, updateTask, type NewTasks, type TaskChanges } from "../../api/tasks.ts";
import type { Task } from "../../../contract/task-records.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { taskKeys } from "./keys.ts";
import { removeTask, upsertTask, invalidateOwnTasks } from "./put.ts";

/** Resending the same form creates nothing twice; the same text after a success creates another task. */
export function useCreateTasks() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  const createdCount = useRef(0);
  return useMutation({
    mutationFn: (body: NewTasks) => createTasks(body, idempotencyKeyFor([createdCount.current, body])),
    onSuccess: (tasks) => {
      createdCount.current += 1;
      for (const task of tasks) upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });
}

export function useUpdateTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, changes }: { id: number; changes: TaskChanges }) => updateTask(id, changes),
    onSuccess: (task) => {
      upsertTask(client, task);
      invalidateOwnTasks(client);
    },
  });
}

/** Closes or reopens a task: shown at once, reverted when the service refuses. */
export function useCloseTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ task, closed }: { task: Task; closed: boolean }) => updateTask(task.id, { closed }),
    // Requests run one after the other, so that the last click wins.
    scope: { id: "close-task" },
    onMutate: ({ task, closed }) => upsertTask(client, { ...task, closed }),
    onError: (_, { task, closed }) => {
      upsertTask(client, { ...task, closed: !closed });
      void client.invalidateQueries({ queryKey: taskKeys.all });
    },
    onSuccess: (task) => upsertTask(client, task),
  });
}

export function useDeleteTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (task: Task) => deleteTask(task.id),
    onSuccess: (_, { id }) => removeTask(client, id),
  });
}
