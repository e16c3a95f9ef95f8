/** Keeps tasks that were closed in a view on its list until the view is left, so that an accidental press can be undone. */
import type { Task } from "../../../contract/task-records.ts";

/** Returns the open tasks, followed by the recently closed ones. */
export function withRecentlyClosed(open: readonly Task[], recentlyClosed: ReadonlyMap<number, Task>): Task[] {
  const openIds = new Set(open.map(({ id }) => id));
  return [...open, ...[...recentlyClosed.values()].filter(({ id }) => !openIds.has(id))];
}
