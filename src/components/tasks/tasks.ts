/** Models what lists and forms of tasks show: due dates, possible assignees and recently closed tasks. */
import type { Task } from "../../../contract/task-records.ts";
import { daysUntil, formatDay } from "../../lib/days.ts";
import { t } from "../../lib/texts/tasks.ts";

interface Due {
  text: string;
  isOverdue: boolean;
}

/** Formats a task's due date and determines whether it has passed. Returns null without a due date; a closed task is never overdue. */
export function describeDue({ due_date, closed }: Pick<Task, "due_date" | "closed">, now: Date = new Date()): Due | null {
  if (due_date === null) return null;
  const days = daysUntil(due_date, now);
  const day = formatDay(due_date, now);
  if (days < 0 && !closed) return { text: t("overdue", { day }), isOverdue: true };
  return { text: days === 0 ? t("dueToday") : days === 1 ? t("dueTomorrow") : t("due", { day }), isOverdue: false };
}

interface Assignee {
  id: number;
  username: string;
}

/** Lists the people to whom a task can be assigned: the signed-in account, then the other members by name, and the current assignee in any case. */
export function listAssignees(members: readonly Assignee[], self: Assignee, current: Assignee | null): Assignee[] {
  const otherMembers = members.filter(({ id }) => id !== self.id).toSorted((a, b) => a.username.localeCompare(b.username));
  const candidates = [self, ...otherMembers];
  return current === null || candidates.some(({ id }) => id === current.id) ? candidates : [...candidates, current];
}

/** Returns the open tasks, followed by those that were closed in this view, so that an accidental press can be undone. */
export function withRecentlyClosed(open: readonly Task[], recentlyClosed: ReadonlyMap<number, Task>): Task[] {
  const openIds = new Set(open.map(({ id }) => id));
  return [...open, ...[...recentlyClosed.values()].filter(({ id }) => !openIds.has(id))];
}
