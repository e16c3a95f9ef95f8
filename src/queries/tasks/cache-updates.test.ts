import { expect, test } from "vitest";
import { withUpdatedTask, withoutTask, withTask } from "./cache-updates.ts";
import { buildTask } from "./task.fixture.ts";

const tasks = [buildTask(1), buildTask(2), buildTask(4)];

test("a new task is inserted at its position, a known one is replaced", () => {
  expect(withTask(tasks, buildTask(3))?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const closed = buildTask(2, { revision: 2, closed: true });
  expect(withTask(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
  expect(withUpdatedTask(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
});

test("an older revision is ignored; the same revision is applied, because it may be an optimistic change", () => {
  const known = [buildTask(1, { revision: 3, title: "New" })];
  expect(withTask(known, buildTask(1, { revision: 2 }))).toBe(known);
  expect(withTask(known, buildTask(1, { revision: 3, closed: true }))).toMatchObject([{ closed: true }]);
});

test("a list that is not loaded stays undefined, and one without the task is returned unchanged", () => {
  expect(withTask(undefined, buildTask(1))).toBeUndefined();
  expect(withUpdatedTask(undefined, buildTask(1))).toBeUndefined();
  expect(withoutTask(undefined, 1)).toBeUndefined();
  expect(withUpdatedTask(tasks, buildTask(9))).toBe(tasks);
  expect(withoutTask(tasks, 9)).toBe(tasks);
  expect(withoutTask(tasks, 2)?.map(({ id }) => id)).toEqual([1, 4]);
});
