/** Builds a task template from tasks: their titles, and their due dates as days from loading. */
import { LIMITS } from "../../../../contract/limits.ts";
import type { Task, TaskTemplate } from "../../../../contract/task-records.ts";
import { daysUntil } from "../../../lib/days.ts";

/** Tasks without a due date, in the past, or more than 3,650 days ahead get no due days, because a past date means nothing for later use. */
export function buildTemplate(tasks: readonly Task[], now: Date = new Date()): TaskTemplate["tasks"] {
  return tasks.slice(0, LIMITS.tasks_per_request).map(({ title, due_date }) => {
    const days = due_date === null ? -1 : daysUntil(due_date, now);
    return { title, due_days: days >= 0 && days <= 3_650 ? days : null };
  });
}
