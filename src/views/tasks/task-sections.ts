/** Groups tasks by due date. */
import type { Task } from "../../../contract/task-records.ts";
import { daysUntil } from "../../lib/days.ts";

export const SECTIONS = ["overdue", "soon", "later", "undated"] as const;
export type SectionName = (typeof SECTIONS)[number];

const SOON_DAYS = 7;

function sectionOf({ due_date }: Task, now: Date): SectionName {
  if (due_date === null) return "undated";
  const days = daysUntil(due_date, now);
  return days < 0 ? "overdue" : days <= SOON_DAYS ? "soon" : "later";
}

/** Returns the non-empty sections in order, each sorted by due date and then by creation. */
export function groupBySection(tasks: readonly Task[], now: Date = new Date()): { name: SectionName; tasks: Task[] }[] {
  const sorted = tasks.toSorted((a, b) => (a.due_date ?? "").localeCompare(b.due_date ?? "") || a.id - b.id);
  return SECTIONS.map((name) => ({ name, tasks: sorted.filter((task) => sectionOf(task, now) === name) })).filter((section) => section.tasks.length > 0);
}
