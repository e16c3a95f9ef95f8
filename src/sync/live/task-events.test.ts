import { beforeEach, expect, test } from "vitest";
import type { Task } from "../../../contract/task-records.ts";
import { createClient } from "../../app/create-client.ts";
import { buildEntry } from "../../queries/file-lists/entry.fixture.ts";
import { taskKeys } from "../../queries/tasks/cache-updates.ts";
import { buildTask } from "../../queries/tasks/task.fixture.ts";
import { handleEvent, type LiveContext } from "./event-handlers.ts";
import { invalidateTopic } from "./invalidate-topic.ts";

const KEYS = { file: taskKeys.file(7), other: taskKeys.file(8), folder: taskKeys.folder(3), open: taskKeys.ownOpen } as const;

let context: LiveContext;
const emit = (type: string, data: object, topic = "project:1") =>
  handleEvent(context, { topic, seq: 1, type, time: "2026-03-02T09:00:00.000Z", data: { ...data } });
const ids = (list: keyof typeof KEYS) => context.client.queryClient.getQueryData<Task[]>(KEYS[list])?.map(({ id }) => id);
const closed = (list: keyof typeof KEYS) =>
  context.client.queryClient
    .getQueryData<Task[]>(KEYS[list])
    ?.filter((task) => task.closed)
    .map(({ id }) => id);
const isInvalid = (list: keyof typeof KEYS) => context.client.queryClient.getQueryState(KEYS[list])?.isInvalidated;

beforeEach(() => {
  const client = createClient();
  client.queryClient.setQueryData(KEYS.file, [buildTask(1), buildTask(2)]);
  client.queryClient.setQueryData(KEYS.other, [buildTask(5, { file_id: 8 })]);
  client.queryClient.setQueryData(KEYS.folder, [buildTask(1), buildTask(2), buildTask(5, { file_id: 8 })]);
  client.queryClient.setQueryData(KEYS.open, [buildTask(2)]);
  context = { client, accountId: 1, isViewingChat: () => false };
});

test("a new task is added to its file's list only, and the folder's list is invalidated", () => {
  emit("task.created", buildTask(3));
  expect([ids("file"), ids("other"), ids("open")]).toEqual([[1, 2, 3], [5], [2]]);
  expect([isInvalid("file"), isInvalid("other"), isInvalid("folder")]).toEqual([false, false, true]);
});

test("a closed task is closed in every list, and an older event changes nothing", () => {
  emit("task.updated", buildTask(2, { revision: 3, closed: true }));
  emit("task.updated", buildTask(2, { revision: 2 }));
  expect([closed("file"), closed("folder"), closed("open")]).toEqual([[2], [2], [2]]);
});

test("a deleted task is removed from every list", () => {
  emit("task.deleted", { id: 2, file_id: 7 });
  expect([ids("file"), ids("folder"), ids("open")]).toEqual([[1], [1, 5], []]);
});

test("an event about the account's own tasks invalidates only the lists of these", () => {
  emit("tasks.changed", { project_id: 1 }, "account:1");
  expect([isInvalid("open"), isInvalid("file")]).toEqual([true, false]);
});

test("deleting a file invalidates every task list, and so does a reset of the account's topic", () => {
  emit("file.deleted", { id: 7, parent_id: 3 });
  expect(isInvalid("open")).toBe(true);
  context.client.queryClient.setQueryData(KEYS.open, [buildTask(2)]);
  invalidateTopic(context.client, "account:1");
  expect(isInvalid("open")).toBe(true);
});

test("restoring a file invalidates its task lists, a new file does not", () => {
  emit("file.created", buildEntry(7));
  expect([isInvalid("file"), isInvalid("open")]).toEqual([false, false]);
  emit("file.created", { ...buildEntry(7), restored: true });
  expect([isInvalid("file"), isInvalid("open")]).toEqual([true, true]);
});

test("moving a file invalidates folder task lists, renaming it does not", () => {
  emit("file.updated", buildEntry(7, { name: "final.wav" }));
  expect([isInvalid("folder"), isInvalid("file")]).toEqual([false, false]);
  emit("file.updated", { ...buildEntry(7, { parent_id: 9 }), moved: true });
  expect([isInvalid("folder"), isInvalid("file")]).toEqual([true, false]);
});

test("a malformed task is ignored", () => {
  emit("task.created", { id: 9, title: 5 });
  expect(ids("file")).toEqual([1, 2]);
});
