/** Pure changes of lists of tasks. A task that is older than the known one changes nothing. */
import type { Task } from "../../../contract/task-records.ts";

type Tasks = Task[] | undefined;

/** The list with this task as it stands now, where it is in it already. */
export function withUpdatedTask(tasks: Tasks, task: Task): Tasks {
  const existing = tasks?.find(({ id }) => id === task.id);
  if (!existing || existing.revision > task.revision) return tasks;
  return tasks?.map((item) => (item === existing ? task : item));
}

/** The same, new ones in their places. */
export function withTask(tasks: Tasks, task: Task): Tasks {
  if (!tasks || tasks.some(({ id }) => id === task.id)) return withUpdatedTask(tasks, task);
  return [...tasks, task].sort((a, b) => a.position - b.position);
}

export function withoutTask(tasks: Tasks, id: number): Tasks {
  return tasks?.some((item) => item.id === id) ? tasks.filter((item) => item.id !== id) : tasks;
}
