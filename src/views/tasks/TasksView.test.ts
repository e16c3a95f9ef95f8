import { expect, test } from "vitest";
import { buildTask } from "../../queries/tasks/task.fixture.ts";
import { groupBySection } from "./TasksView.tsx";

const now = new Date(2026, 2, 2, 12);
const dueOn = (id: number, day: string | null) => buildTask(id, { due_date: day === null ? null : `${day}T00:00:00.000Z` });

test("tasks are grouped by due date, the earliest first, without empty sections", () => {
  const tasks = [
    dueOn(1, null),
    dueOn(2, "2026-03-10"),
    dueOn(3, "2026-03-09"),
    dueOn(4, "2026-03-02"),
    dueOn(5, "2026-03-01"),
    dueOn(6, "2026-02-01"),
    dueOn(7, "2026-03-02"),
  ];
  expect(groupBySection(tasks, now).map(({ name, tasks: sectionTasks }) => [name, sectionTasks.map(({ id }) => id)])).toEqual([
    ["overdue", [6, 5]],
    ["soon", [4, 7, 3]],
    ["later", [2]],
    ["undated", [1]],
  ]);
  expect(groupBySection([dueOn(1, null)], now).map(({ name }) => name)).toEqual(["undated"]);
  expect(groupBySection([], now)).toEqual([]);
});
