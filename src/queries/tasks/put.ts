/** Applies tasks from responses and live events to every list that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Task } from "../../../contract/task-records.ts";
import { withUpdatedTask, withoutTask, withTask } from "./cache.ts";
import { taskKeys } from "./keys.ts";

/** Patches lists; one with a fetch in flight may be older than the change and is refetched. */
function patch(client: QueryClient, queryKey: readonly unknown[], change: (tasks: Task[] | undefined) => Task[] | undefined): void {
  client.setQueriesData<Task[]>({ queryKey }, change);
  if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey });
}

export function upsertTask(client: QueryClient, task: Task): void {
  patch(client, taskKeys.file(task.file_id), (tasks) => withTask(tasks, task));
  patch(client, taskKeys.own, (tasks) => withUpdatedTask(tasks, task));
  // The client does not know which folders contain the file.
  client.setQueriesData<Task[]>({ queryKey: taskKeys.folders }, (tasks) => withUpdatedTask(tasks, task));
  void client.invalidateQueries({ queryKey: taskKeys.folders });
}

export function removeTask(client: QueryClient, id: number): void {
  for (const queryKey of [["tasks", "file"], taskKeys.folders, taskKeys.own]) patch(client, queryKey, (tasks) => withoutTask(tasks, id));
}

/** Refetches the user's own tasks. */
export const invalidateOwnTasks = (client: QueryClient): void => void client.invalidateQueries({ queryKey: taskKeys.own });
