/** What answers and the live channel tell of tasks goes into every list that shows them. */
import type { QueryClient } from "@tanstack/react-query";
import type { Task } from "../../../contract/task-records.ts";
import { withUpdatedTask, withoutTask, withTask } from "./cache.ts";
import { taskKeys } from "./keys.ts";

/** Changes lists; one that is being fetched may be older than the news and is fetched again. */
function patch(client: QueryClient, queryKey: readonly unknown[], change: (tasks: Task[] | undefined) => Task[] | undefined): void {
  client.setQueriesData<Task[]>({ queryKey }, change);
  if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey });
}

/** A task is new or has changed. */
export function upsertTask(client: QueryClient, task: Task): void {
  patch(client, taskKeys.file(task.file_id), (tasks) => withTask(tasks, task));
  patch(client, taskKeys.own, (tasks) => withUpdatedTask(tasks, task));
  // Nobody here knows which folders hold the file.
  client.setQueriesData<Task[]>({ queryKey: taskKeys.folders }, (tasks) => withUpdatedTask(tasks, task));
  void client.invalidateQueries({ queryKey: taskKeys.folders });
}

/** A task was deleted. */
export function removeTask(client: QueryClient, id: number): void {
  for (const queryKey of [["tasks", "file"], taskKeys.folders, taskKeys.own]) patch(client, queryKey, (tasks) => withoutTask(tasks, id));
}

/** The lists of what this person has to do are asked for again. */
export const invalidateOwnTasks = (client: QueryClient): void => void client.invalidateQueries({ queryKey: taskKeys.own });
