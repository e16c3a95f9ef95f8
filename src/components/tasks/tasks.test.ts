import { expect, test } from "vitest";
import { buildTask } from "../../queries/tasks/task.fixture.ts";
import { describeDue, listAssignees, withRecentlyClosed } from "./tasks.ts";

const now = new Date(2026, 2, 2, 12);
const due = (due_date: string | null, closed = false) => describeDue({ due_date, closed }, now);

test("due dates are relative to today, and only an open task is overdue", () => {
  expect(due(null)).toBeNull();
  expect(due("2026-03-02T00:00:00.000Z")).toEqual({ text: "Due today", isOverdue: false });
  expect(due("2026-03-03T00:00:00.000Z")).toEqual({ text: "Due tomorrow", isOverdue: false });
  expect(due("2026-03-09T00:00:00.000Z")?.text).toMatch(/^Due .*9/);
  expect(due("2026-03-01T00:00:00.000Z")).toMatchObject({ text: expect.stringMatching(/^Overdue since /), isOverdue: true });
  expect(due("2026-03-01T00:00:00.000Z", true)).toMatchObject({ text: expect.stringMatching(/^Due /), isOverdue: false });
});

test("recently closed tasks stay listed, and the list's own record of a task wins", () => {
  const recentlyClosed = new Map([1, 2].map((id) => [id, buildTask(id, { closed: true })]));
  const open = [buildTask(2, { revision: 4 }), buildTask(3)];
  expect(withRecentlyClosed(open, recentlyClosed)).toEqual([...open, buildTask(1, { closed: true })]);
  expect(withRecentlyClosed(open, new Map())).toEqual(open);
});

test("assignees start with the signed-in account, then others by name, and include the current assignee once", () => {
  const [ana, ben, cleo, formerMember] = ["Ana", "Ben", "Cleo", "Gone"].map((username, id) => ({ id, username })) as [any, any, any, any];
  expect(listAssignees([cleo, ana, ben], ben, null)).toEqual([ben, ana, cleo]);
  expect(listAssignees([cleo], ana, formerMember)).toEqual([ana, cleo, formerMember]);
  expect(listAssignees([cleo, ana], ana, cleo)).toEqual([ana, cleo]);
});
