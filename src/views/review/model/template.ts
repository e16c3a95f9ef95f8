/** What a list of tasks leaves in a template: what is to be done, and how many days from loading it is due. */
import { LIMITS } from "../../../../contract/limits.ts";
import type { Task, TaskTemplate } from "../../../../contract/task-records.ts";
import { daysUntil } from "../../../lib/days.ts";

/** A day that has passed says nothing about the next time. */
export function buildTemplate(tasks: readonly Task[], now: Date = new Date()): TaskTemplate["tasks"] {
  return tasks.slice(0, LIMITS.tasks_per_request).map(({ title, due_date }) => {
    const days = due_date === null ? -1 : daysUntil(due_date, now);
    return { title, due_days: days >= 0 && days <= 3_650 ? days : null };
  });
}
