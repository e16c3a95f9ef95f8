/** Pure updates of task lists, which ignore a task that is older than the cached one. */
import type { Task } from "../../../contract/task-records.ts";

type Tasks = Task[] | undefined;

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
