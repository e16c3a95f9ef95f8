import { afterEach, expect, test, vi } from "vitest";
import type { Task } from "../../../contract/task-records.ts";
import { createClient } from "../../app/create-client.ts";
import { holdRequests, renderHook } from "../hook.fixture.ts";
import { taskKeys, upsertTask } from "./cache-updates.ts";
import { buildTask } from "./task.fixture.ts";
import { taskPermissions, useCloseTask } from "./use-tasks.ts";

test.each([
  ["their own task", 5, 6, { canEdit: true, canDelete: true, canClose: true }],
  ["a task assigned to them", 6, 5, { canEdit: false, canDelete: false, canClose: true }],
  ["another task", 6, null, { canEdit: false, canDelete: false, canClose: false }],
])("a guest is offered what the policy allows for %s, and a member everything", (_, created_by_account_id, assignee_account_id, expected) => {
  const task = { created_by_account_id, assignee_account_id };
  expect(taskPermissions(task, { accountId: 5, role: "guest", isArchived: false })).toEqual(expected);
  expect(taskPermissions(task, { accountId: 5, role: "member", isArchived: false })).toEqual({ canEdit: true, canDelete: true, canClose: true });
  expect(taskPermissions(task, { accountId: 5, role: "owner", isArchived: true })).toEqual({ canEdit: false, canDelete: false, canClose: false });
});

/** Creates a client with one open task; the test closes and reopens the task and responds to the requests. */
function setUpTask() {
  const client = createClient();
  client.queryClient.setQueryData(taskKeys.file(7), [buildTask(1)]);
  const requests = holdRequests();
  const { mutateAsync } = renderHook(client, useCloseTask);
  const shown = (): Task => client.queryClient.getQueryData<Task[]>(taskKeys.file(7))![0]!;
  const press = (closed: boolean) => mutateAsync({ task: shown(), closed }).catch(() => "rejected");
  const changed = (closed: boolean, revision: number) => ({ object: "task", data: buildTask(1, { closed, revision }) });
  return { client, requests, shown, press, changed };
}

afterEach(() => vi.unstubAllGlobals());

test("a task that is closed and reopened stays open while the responses and events about closing it arrive", async () => {
  const { client, requests, shown, press, changed } = setUpTask();
  const presses = [press(true), press(false)];
  expect(shown().closed).toBe(false);
  await expect.poll(() => requests.bodies).toEqual([{ closed: true }]);
  requests.respond(changed(true, 2));
  await presses[0];
  expect(shown()).toMatchObject({ closed: false, revision: 2 });
  await expect.poll(() => requests.bodies).toEqual([{ closed: true }, { closed: false }]);
  upsertTask(client, buildTask(1, { closed: true, revision: 2 }));
  expect(shown().closed).toBe(false);
  requests.respond(changed(false, 3));
  await presses[1];
  expect(shown()).toMatchObject({ closed: false, revision: 3 });
  upsertTask(client, buildTask(1, { closed: true, revision: 4 }));
  expect(shown().closed).toBe(true);
});

test("a rejected change reverts to the state before it, unless a later one is pending", async () => {
  const { requests, shown, press, changed } = setUpTask();
  const presses = [press(true), press(false), press(true)];
  await expect.poll(() => requests.bodies).toHaveLength(1);
  requests.respond({ title: "Busy", status: 409 }, 409);
  expect(await presses[0]).toBe("rejected");
  expect(shown().closed).toBe(true);
  await expect.poll(() => requests.bodies).toHaveLength(2);
  requests.respond(changed(false, 2));
  await presses[1];
  expect(shown()).toMatchObject({ closed: true, revision: 2 });
  await expect.poll(() => requests.bodies).toHaveLength(3);
  requests.respond({ title: "Busy", status: 409 }, 409);
  expect(await presses[2]).toBe("rejected");
  expect(shown()).toMatchObject({ closed: false, revision: 2 });
});
