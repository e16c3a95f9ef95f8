/** Formats the due date of a task and determines whether it has passed. */
import type { Task } from "../../../contract/task-records.ts";
import { daysUntil, formatDay } from "../../lib/days.ts";
import { t } from "../../lib/messages/tasks.ts";

export interface Due {
  text: string;
  overdue: boolean;
}

/** Returns null without a due date; a closed task is never overdue. */
export function describeDue({ due_date, closed }: Pick<Task, "due_date" | "closed">, now: Date = new Date()): Due | null {
  if (due_date === null) return null;
  const days = daysUntil(due_date, now);
  const day = formatDay(due_date, now);
  if (days < 0 && !closed) return { text: t("overdue", { day }), overdue: true };
  return { text: days === 0 ? t("dueToday") : days === 1 ? t("dueTomorrow") : t("due", { day }), overdue: false };
}
