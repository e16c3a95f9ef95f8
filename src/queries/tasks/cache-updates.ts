/** Applies tasks from responses and live events to every list that shows them; a task that is older than the cached one changes nothing. */
import type { Task } from "../../../contract/task-records.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";

type Tasks = Task[] | undefined;

export const taskKeys = {
  all: ["tasks"] as const,
  /** Tasks of one file. */
  file: (fileId: number) => ["tasks", "file", fileId] as const,
  folders: ["tasks", "folder"] as const,
  /** Tasks of a folder and of everything in it. */
  folder: (folderId: number) => ["tasks", "folder", folderId] as const,
  /** Tasks of the signed-in user. */
  own: ["tasks", "own"] as const,
  ownOpen: ["tasks", "own", "open"] as const,
  ownClosed: ["tasks", "own", "closed"] as const,
  templates: (teamId: number) => ["tasks", "templates", teamId] as const,
};

/** Mutation key of requests that close or reopen a task. */
export const closeTaskKey = ["close-task"] as const;

export interface CloseTaskInput {
  task: Task;
  closed: boolean;
}

/** Returns the latest pending request that closes or reopens a task. */
export const findPendingClose = (client: ClientData, taskId: number): CloseTaskInput | undefined =>
  client.queryClient
    .getMutationCache()
    .findAll({ mutationKey: closeTaskKey, status: "pending" })
    .map(({ state }) => state.variables as CloseTaskInput)
    .findLast(({ task }) => task.id === taskId);

/** Upserts a task; while the user's last change of `closed` is pending, that change stays shown. */
export function upsertTask(client: ClientData, received: Task): void {
  const task = { ...received, closed: findPendingClose(client, received.id)?.closed ?? received.closed };
  patch(client, taskKeys.file(task.file_id), (tasks) => withTask(tasks, task));
  patch(client, taskKeys.own, (tasks) => withUpdatedTask(tasks, task));
  // A task does not contain its file's parent folders, so every folder's list is refetched.
  client.queryClient.setQueriesData<Task[]>({ queryKey: taskKeys.folders }, (tasks) => withUpdatedTask(tasks, task));
  invalidate(client, taskKeys.folders);
}

/** Shows a task as closed or open, whatever its revision; lists without the task stay untouched. */
export function patchClosed(client: ClientData, id: number, closed: boolean): void {
  patchAll(client, (tasks) => {
    const existing = tasks?.find((task) => task.id === id);
    return existing && tasks?.map((task) => (task === existing ? { ...task, closed } : task));
  });
}

export function removeTask(client: ClientData, id: number): void {
  patchAll(client, (tasks) => withoutTask(tasks, id));
}

/** Refetches the user's own tasks. */
export const invalidateOwnTasks = (client: ClientData): void => invalidate(client, taskKeys.own);

/** Patches lists and refetches those with a fetch in flight, whose response may be older than the change. */
function patch(client: ClientData, queryKey: readonly unknown[], change: (tasks: Tasks) => Tasks): void {
  client.queryClient.setQueriesData<Task[]>({ queryKey }, change);
  if (client.queryClient.isFetching({ queryKey }) > 0) invalidate(client, queryKey);
}

function patchAll(client: ClientData, change: (tasks: Tasks) => Tasks): void {
  for (const queryKey of [["tasks", "file"], taskKeys.folders, taskKeys.own]) patch(client, queryKey, change);
}

/** Returns the list with the task replaced, if the list contains it. */
export function withUpdatedTask(tasks: Tasks, task: Task): Tasks {
  const existing = tasks?.find(({ id }) => id === task.id);
  if (!existing || existing.revision > task.revision) return tasks;
  return tasks?.map((item) => (item === existing ? task : item));
}

/** Returns the list with the task replaced, or inserted by its position. */
export function withTask(tasks: Tasks, task: Task): Tasks {
  if (!tasks || tasks.some(({ id }) => id === task.id)) return withUpdatedTask(tasks, task);
  return [...tasks, task].sort((a, b) => a.position - b.position);
}

export function withoutTask(tasks: Tasks, id: number): Tasks {
  return tasks?.some((item) => item.id === id) ? tasks.filter((item) => item.id !== id) : tasks;
}
