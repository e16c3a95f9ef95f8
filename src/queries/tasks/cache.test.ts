import { expect, test } from "vitest";
import { withChanged, withoutTask, withTask } from "./cache.ts";
import { taskOf } from "./task.fixture.ts";

const tasks = [taskOf(1), taskOf(2), taskOf(4)];

test("a new task stands at its position, a known one is replaced", () => {
  expect(withTask(tasks, taskOf(3))?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const closed = taskOf(2, { revision: 2, closed: true });
  expect(withTask(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
  expect(withChanged(tasks, closed)).toEqual([tasks[0], closed, tasks[2]]);
});

test("what is older than what is known changes nothing; what is as old may be a press that was just made", () => {
  const known = [taskOf(1, { revision: 3, title: "New" })];
  expect(withTask(known, taskOf(1, { revision: 2 }))).toBe(known);
  expect(withTask(known, taskOf(1, { revision: 3, closed: true }))).toMatchObject([{ closed: true }]);
});

test("a list that is not there stays so, and one without the task is the same list", () => {
  expect(withTask(undefined, taskOf(1))).toBeUndefined();
  expect(withChanged(undefined, taskOf(1))).toBeUndefined();
  expect(withoutTask(undefined, 1)).toBeUndefined();
  expect(withChanged(tasks, taskOf(9))).toBe(tasks);
  expect(withoutTask(tasks, 9)).toBe(tasks);
  expect(withoutTask(tasks, 2)?.map(({ id }) => id)).toEqual([1, 4]);
});
