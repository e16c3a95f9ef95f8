import { expect, test } from "vitest";
import { buildTask } from "../../../queries/tasks/task.fixture.ts";
import { buildTemplate } from "./TemplatesDialog.tsx";

const now = new Date(2026, 2, 2, 12);

test("a template stores titles and days until due, not assignees", () => {
  const tasks = [
    buildTask(1, { title: "Check", due_date: "2026-03-05T00:00:00.000Z", assignee_account_id: 4 }),
    buildTask(2, { due_date: "2026-03-02T00:00:00.000Z" }),
    buildTask(3, { due_date: "2026-02-20T00:00:00.000Z" }),
    buildTask(4, { due_date: "2126-03-02T00:00:00.000Z" }),
    buildTask(5),
  ];
  expect(buildTemplate(tasks, now)).toEqual([
    { title: "Check", due_days: 3 },
    { title: "Task 2", due_days: 0 },
    { title: "Task 3", due_days: null },
    { title: "Task 4", due_days: null },
    { title: "Task 5", due_days: null },
  ]);
});

test("a template has at most as many tasks as one request accepts", () => {
  expect(
    buildTemplate(
      Array.from({ length: 300 }, (_, id) => buildTask(id)),
      now,
    ),
  ).toHaveLength(100);
});
