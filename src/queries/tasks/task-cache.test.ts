import { expect, test } from "vitest";
import { withUpdatedTask, withoutTask, withTask } from "./task-cache.ts";
import { buildTask } from "./task.fixture.ts";

const tasks = [buildTask(1), buildTask(2), buildTask(4)];

test("a new task stands at its position, a known one is replaced", () => {
  expect(withTask(tasks, buildTask(3))?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const closed = buildTask(2, { revision: 2, closed: true });
  expect(withTask(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
  expect(withUpdatedTask(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
});

test("what is older than what is known changes nothing; what is as old may be a press that was just made", () => {
  const known = [buildTask(1, { revision: 3, title: "New" })];
  expect(withTask(known, buildTask(1, { revision: 2 }))).toBe(known);
  expect(withTask(known, buildTask(1, { revision: 3, closed: true }))).toMatchObject([{ closed: true }]);
});

test("a list that is not there stays so, and one without the task is the same list", () => {
  expect(withTask(undefined, buildTask(1))).toBeUndefined();
  expect(withUpdatedTask(undefined, buildTask(1))).toBeUndefined();
  expect(withoutTask(undefined, 1)).toBeUndefined();
  expect(withUpdatedTask(tasks, buildTask(9))).toBe(tasks);
  expect(withoutTask(tasks, 9)).toBe(tasks);
  expect(withoutTask(tasks, 2)?.map(({ id }) => id)).toEqual([1, 4]);
});
