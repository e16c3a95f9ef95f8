import { expectAccessible } from "../../fixtures/axe.ts";
import { call } from "../../fixtures/api.ts";
import { updateFolder } from "../../../contract/operations/files.ts";
import { updateTask } from "../../../contract/operations/tasks.ts";
import { stand } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { expect, test } from "../../fixtures/network.ts";
import { dialog } from "../../fixtures/pages.ts";
import { readyFile } from "../../fixtures/ready-files.ts";
import { dayFromNow, panel, taskBox, taskRow, tasksOf, writeTask } from "../../fixtures/tasks.ts";

test("tasks of a file are edited and deleted, written, given and closed, and seen by the other at once", async ({
  house,
  pair: { ana, ben, project },
  open,
  network,
  guard,
}) => {
  const id = await readyFile(house, ana, project, "nightdrive_mix.wav");
  const called = async (title: string) => (await tasksOf(ana, id)).filter((task) => task.title === title);
  const [mine, theirs] = await Promise.all([open(ana, `/files/${id}`), open(ben, `/files/${id}`)]);
  const field = mine.getByRole("textbox", { name: "New task" });
  for (const page of [mine, theirs]) await expect(panel(page)).toContainText("Nothing is to be done here yet.");

  await test.step("editing, and deleting after being asked", async () => {
    await writeTask(ben, id, "Listen once", { for: ben, due: dayFromNow(-2) });
    await expect(taskRow(mine, "Listen once")).toContainText("Overdue since");
    await mine.getByRole("button", { name: "More for Listen once" }).click();
    await mine.getByRole("menuitem", { name: "Edit…" }).click();
    const edit = dialog(mine, "Edit task");
    await expect(edit.getByRole("textbox", { name: "Task" })).toHaveValue("Listen once");
    await expectAccessible(mine);
    await edit.getByRole("textbox", { name: "Task" }).fill("Listen twice");
    await edit.getByLabel("Assigned to").selectOption({ label: "Nobody" });
    await edit.getByLabel("Due date").fill("");
    await edit.getByRole("button", { name: "Save" }).click();
    await expect(edit).toBeHidden();
    await expect(taskRow(mine, "Listen twice")).not.toContainText(/Due|Overdue|For /);
    expect(await tasksOf(ana, id)).toMatchObject([{ title: "Listen twice", assignee_account_id: null, due_date: null, created_by_account_id: ben.id }]);

    await mine.getByRole("button", { name: "More for Listen twice" }).click();
    await mine.getByRole("menuitem", { name: "Delete…" }).click();
    const ask = dialog(mine, "Delete this task?");
    await expect(ask.getByRole("button", { name: "Cancel" }).first()).toBeFocused();
    await ask.getByRole("button", { name: "Delete" }).click();
    await expect(taskRow(mine, "Listen twice")).toHaveCount(0);
    await expect(mine.getByRole("heading", { name: "Tasks" })).toBeFocused();
    expect(await tasksOf(ana, id)).toEqual([]);
  });

  await test.step("given to somebody with a date; closing it is seen by who wrote it", async () => {
    await field.fill("Bounce the stems");
    await mine.getByLabel("Assigned to").selectOption({ label: ben.name });
    await mine.getByLabel("Due date").fill(dayFromNow(1));
    await field.press("Enter");
    await expect(taskRow(mine, "Bounce the stems")).toContainText(`For ${ben.name}`);
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    await expect(taskRow(theirs, "Bounce the stems")).toContainText("For you");
    await expect(taskRow(theirs, "Bounce the stems")).toContainText("Due tomorrow");
    await expect(panel(theirs)).toContainText("1 open");

    await taskBox(theirs, "Bounce the stems").check();
    await expect(taskRow(theirs, "Bounce the stems")).toContainText(`by ${ben.name}`);
    await expect(mine.getByRole("button", { name: "Show closed (1)" })).toBeVisible();
    await expect(taskBox(mine, "Bounce the stems")).toHaveCount(0);
    expect(await tasksOf(ana, id)).toMatchObject([{ closed: true, closed_by_account_id: ben.id, assignee_account_id: ben.id }]);

    // A wrong press is taken back where it was made.
    await taskBox(theirs, "Bounce the stems").uncheck();
    await expect(taskBox(mine, "Bounce the stems")).not.toBeChecked();
    await expect.poll(async () => (await tasksOf(ana, id))[0]?.closed).toBe(false);
  });

  await test.step("the same words twice are two tasks; an empty line is none", async () => {
    for (const count of [1, 2]) {
      await field.fill("Again");
      await field.press("Enter");
      await expect(taskRow(mine, "Again")).toHaveCount(count);
    }
    await expect(field).toHaveValue("");
    await mine.getByRole("button", { name: "Add", exact: true }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toBeFocused();
    await expect(panel(mine)).toContainText("Task is needed.");
    expect(await called("Again")).toHaveLength(2);
    expect(await tasksOf(ana, id)).toHaveLength(3);
  });

  await test.step("a press that the service refuses is taken back, with the reason", async () => {
    guard.allow(answered(409));
    const refusal = await network.refuse(mine, "**/api/v2/tasks/*", 409, "Not now.");
    await taskBox(mine, "Bounce the stems").click();
    await expect(mine.getByRole("alert").filter({ hasText: "Not now." })).toBeVisible();
    await expect(taskBox(mine, "Bounce the stems")).not.toBeChecked();
    await refusal.end();
  });

  await test.step("accessible with tasks in every state, and nothing sticks out at 320 pixels", async () => {
    await writeTask(ana, id, `A task with ${"a very long description ".repeat(8)}`, { for: ben, due: dayFromNow(-3) });
    await writeTask(ana, id, "x".repeat(200), { for: ana, due: dayFromNow(30) });
    const closed = await writeTask(ben, id, "Done already");
    await call(ben, updateTask, { params: { task_id: closed.id }, body: { closed: true } });
    await mine.getByRole("button", { name: "Show closed (1)" }).click();
    await expect(taskBox(mine, "Done already")).toBeChecked();
    await field.fill("One more");
    await expect(mine.getByLabel("Due date")).toBeVisible();
    await expectAccessible(mine);
    await mine.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => mine.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});

test("a template is kept from a list and loaded onto another file; a protected folder says why not", async ({ pair: { ana, project }, house, guard, open }) => {
  guard.allow(answered(409));
  const [from, to] = [await readyFile(house, ana, project, "single.wav"), await readyFile(house, ana, project, "album.wav")];
  const name = `Masters ${project.id}`;
  await writeTask(ana, from, "Check the fade");
  await writeTask(ana, from, "Write the ISRC", { due: dayFromNow(3) });
  const page = await open(ana, `/files/${from}`);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Save as template…" }).click();
  await dialog(page, "Save as template").getByRole("textbox", { name: "Name" }).fill(name);
  await expectAccessible(page);
  await dialog(page, "Save as template").getByRole("button", { name: "Save" }).click();
  await expect(dialog(page, "Save as template")).toBeHidden();

  await page.goto(`${ana.url}/files/${to}`);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  const templates = dialog(page, "Load from template");
  await expect(templates.getByRole("listitem").filter({ hasText: "Delivery" })).toContainText("5 tasks");
  await expectAccessible(page);
  await call(house.owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: true } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates.getByRole("alert")).toContainText("is protected from loading tasks");
  await call(house.owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: false } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates).toBeHidden();
  await expect(panel(page)).toContainText("2 open");
  const [fade, isrc] = await tasksOf(ana, to);
  expect([fade?.title, isrc?.title]).toEqual(["Check the fade", "Write the ISRC"]);
  expect(fade?.due_date).toBeNull();
  expect(isrc?.due_date).toMatch(/T00:00:00.000Z$/);

  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  await templates.getByRole("button", { name: `Delete template ${name}` }).click();
  await dialog(page, `Delete “${name}”?`).getByRole("button", { name: "Delete" }).click();
  await expect(templates.getByRole("listitem").filter({ hasText: name })).toHaveCount(0);
});

test("a folder's page shows its tasks live and leads to their files; a service without tasks shows nothing of them", async ({
  house,
  pair: { ana, ben, project },
  open,
  network,
  guard,
}) => {
  const id = await readyFile(house, ana, project, "outro.wav");
  stand(house.service, id, { kind: "document", transcoding_status: "transcoding" });
  const root = project.root_folder_id ?? 0;
  await writeTask(ana, root, "Order the artwork");
  const page = await open(ana, `/files/${root}`);

  await test.step("what is to be done in the folder, live", async () => {
    await expect(taskBox(page, "Order the artwork")).toBeVisible();
    const made = await writeTask(ben, id, "Trim the tail");
    await expect(taskRow(page, "Trim the tail").getByRole("link", { name: "outro.wav" })).toHaveAttribute("href", `/files/${id}`);
    await writeTask(ben, id, "Leave the head");
    await call(ben, updateTask, { params: { task_id: made.id }, body: { closed: true } });
    await expect(page.getByRole("button", { name: "Show closed (1)" })).toBeVisible();
  });

  await test.step("what is being written stays while the file turns out to be a sound", async () => {
    await taskRow(page, "Leave the head").getByRole("link", { name: "outro.wav" }).click();
    await expect(page.getByRole("heading", { name: "outro.wav" })).toBeVisible();
    await page.getByRole("textbox", { name: "New task" }).fill("Half a sentence");
    await page.getByLabel("Due date").fill(dayFromNow(2));
    await expect(page.getByRole("slider", { name: "Position in outro.wav" })).toHaveCount(0);
    stand(house.service, id, { kind: "audio", transcoding_status: "transcoded" });
    await expect(page.getByRole("slider", { name: "Position in outro.wav" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "New task" })).toHaveValue("Half a sentence");
    await expect(page.getByLabel("Due date")).toHaveValue(dayFromNow(2));
  });

  await test.step("a service without tasks shows nothing of them", async () => {
    guard.allow(answered(404));
    await network.answer(page, "**/v1/tasks/by_folder", { status: 404, json: { object: "error", status: 404, title: "Not found" } });
    const asked = page.waitForResponse("**/v1/tasks/by_folder");
    await page.reload();
    await expect(page.getByRole("heading", { name: "About the file" })).toBeVisible();
    await asked;
    await expect(panel(page)).toHaveCount(0);
  });
});
