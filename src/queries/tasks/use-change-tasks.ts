import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { createTasks, deleteTask, updateTask, type NewTasks, type TaskChanges } from "../../api/tasks.ts";
import type { Task } from "../../../contract/task-records.ts";
import { useKeyPerBody } from "../key-per-body.ts";
import { taskKeys } from "./keys.ts";
import { dropTask, putTask, renewOwnTasks } from "./put.ts";

/** Sending the same form again creates nothing twice; the same words after it worked are another task. */
export function useCreateTasks() {
  const client = useQueryClient();
  const keyOf = useKeyPerBody();
  const made = useRef(0);
  return useMutation({
    mutationFn: (body: NewTasks) => createTasks(body, keyOf([made.current, body])),
    onSuccess: (tasks) => {
      made.current += 1;
      for (const task of tasks) putTask(client, task);
      renewOwnTasks(client);
    },
  });
}

export function useUpdateTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, changes }: { id: number; changes: TaskChanges }) => updateTask(id, changes),
    onSuccess: (task) => {
      putTask(client, task);
      renewOwnTasks(client);
    },
  });
}

/** Closes a task or opens it again: shown at once, taken back when the service refuses. */
export function useCloseTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ task, closed }: { task: Task; closed: boolean }) => updateTask(task.id, { closed }),
    // One after the other, so that the last press is what stays.
    scope: { id: "close-task" },
    onMutate: ({ task, closed }) => putTask(client, { ...task, closed }),
    onError: (_, { task, closed }) => {
      putTask(client, { ...task, closed: !closed });
      void client.invalidateQueries({ queryKey: taskKeys.all });
    },
    onSuccess: (task) => putTask(client, task),
  });
}

export function useDeleteTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (task: Task) => deleteTask(task.id),
    onSuccess: (_, { id }) => dropTask(client, id),
  });
}
