/** Tasks that were closed here stay in their place until the view is left, so that a wrong press can be taken back. */
import type { Task } from "../../../contract/task-records.ts";

/** Open tasks with those that were closed here, in their order; `known` is the newest that is known of each. */
export function withRecentlyClosed(open: readonly Task[], recentlyClosed: ReadonlyMap<number, Task>): Task[] {
  const openIds = new Set(open.map(({ id }) => id));
  return [...open, ...[...recentlyClosed.values()].filter(({ id }) => !openIds.has(id))];
}
